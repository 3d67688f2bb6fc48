package dev.halfcell.cli;

/** Where the process starts. */
public final class Main {
  private Main() {}

  /** Runs a command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(new Program(Console.ofProcess()).run(arguments));
  }
}
