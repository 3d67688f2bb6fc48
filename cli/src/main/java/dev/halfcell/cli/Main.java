package dev.halfcell.cli;

/** Where the process starts. */
public final class Main {
  private Main() {}

  /** Runs a command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    headless();
    System.exit(new Program(Console.ofProcess()).run(arguments));
  }

  /** Charts are drawn into files: AWT is not to look for a display, which may be named but gone. */
  static void headless() {
    System.setProperty("java.awt.headless", "true");
  }
}
