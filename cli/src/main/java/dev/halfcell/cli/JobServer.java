package dev.halfcell.cli;

import java.net.URI;

/** A job service of this process. */
interface JobServer extends AutoCloseable {
  /** What starts one; it listens when this returns. */
  @FunctionalInterface
  interface Starter {
    JobServer start(ServeOptions options);
  }

  /** Where it can be asked from. */
  URI address();

  /** Takes no more jobs, has those that run save their state, and ends. */
  @Override
  void close();
}
