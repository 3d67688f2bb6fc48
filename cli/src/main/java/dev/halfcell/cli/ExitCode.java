package dev.halfcell.cli;

/** What the program tells its caller by the code that it ends with. */
final class ExitCode {
  /** It did what was asked. */
  static final int SUCCESS = 0;

  /** It could not, or what it checked is wrong. */
  static final int FAILURE = 1;

  /** An argument, or the data that one names, makes no sense. */
  static final int BAD_ARGUMENTS = 2;

  /** It was interrupted by Ctrl-C, and has saved what it had. */
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
