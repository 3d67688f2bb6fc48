package dev.halfcell.cli;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;

/** Stands where the job service of the HTTP module will be started, until it is there. */
record MissingServer() implements JobServer.Starter {
  @Override
  public JobServer start(ServeOptions options) {
    throw new UsageException(
        new Problem("serve", "", "a program that holds the job service", "one without it", ""));
  }
}
