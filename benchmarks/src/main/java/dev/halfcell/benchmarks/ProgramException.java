package dev.halfcell.benchmarks;

/** A program that should have measured something failed; the message holds all that it said. */
final class ProgramException extends RuntimeException {
  private final String reason;

  ProgramException(String name, int exitCode, String said) {
    super(name + " failed with exit code " + exitCode + ":\n" + said);
    this.reason =
        said.lines()
            .filter(line -> line.contains("Exception") || line.contains("Error"))
            .findFirst()
            .orElse("exit code " + exitCode);
  }

  /** Why, in a line. */
  String reason() {
    return reason;
  }
}
