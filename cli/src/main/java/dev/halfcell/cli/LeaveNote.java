package dev.halfcell.cli;

/**
 * What Ctrl-C or a request to terminate leaves behind is said as the process ends. It ends at once,
 * with the signal's own code.
 */
final class LeaveNote implements AutoCloseable {
  private final Thread hook;

  LeaveNote(Console console, String line) {
    this.hook = new Thread(() -> console.error(line), "halfcell-leave-note");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException ending) {
      console.error(line);
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The note is being said already.
    }
  }
}
