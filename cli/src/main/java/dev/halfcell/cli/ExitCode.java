package dev.halfcell.cli;

/** What the program tells its caller by the code that it ends with; docs/runs.md says them all. */
final class ExitCode {
  /** It did what was asked. */
  static final int SUCCESS = 0;

  /** It could not, or what it checked is wrong. */
  static final int FAILURE = 1;

  /** An argument or a specification makes no sense, or names what is not there or not to be had. */
  static final int BAD_ARGUMENTS = 2;

  /** The job that was watched was cancelled. */
  static final int CANCELLED = 3;

  /** The server cannot be reached, or cannot answer now. */
  static final int UNREACHABLE = 4;

  /** The training came to values that are not finite. */
  static final int NON_FINITE = 5;

  /** A file is not as it has to be, or the disk refuses. */
  static final int DISK_OR_DATA = 6;

  /** There is too little memory. */
  static final int MEMORY = 7;

  /**
   * It was asked to end, and has saved what it had. Of Ctrl-C; the process ends with the code of
   * the signal that it had, which is 143 where that was SIGTERM.
   */
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
