package dev.halfcell.benchmarks;

import java.util.regex.Pattern;

/** A program that should have measured something failed; the message holds all that it said. */
final class ProgramException extends RuntimeException {
  /** What Java puts before an exception that nobody caught. */
  private static final Pattern UNCAUGHT = Pattern.compile("^Exception in thread \"[^\"]*\" ");

  private final String reason;

  ProgramException(String name, int exitCode, String said) {
    super(name + " failed with exit code " + exitCode + ":\n" + said);
    this.reason =
        said.lines()
            .filter(line -> line.contains("Exception") || line.contains("Error"))
            .findFirst()
            .map(line -> UNCAUGHT.matcher(line).replaceFirst(""))
            .orElse("exit code " + exitCode);
  }

  /** Why, in a line. */
  String reason() {
    return reason;
  }
}
