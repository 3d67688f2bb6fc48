package dev.halfcell.cli;

import picocli.CommandLine.Parameters;

/** Which job a command is about. */
final class JobArgument {
  @Parameters(
      index = "0",
      paramLabel = "JOB",
      description = "The id of the job, which `halfcell submit` prints and `halfcell jobs` lists.")
  private String id = "";

  String id() {
    return id;
  }
}
