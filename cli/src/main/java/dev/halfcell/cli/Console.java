package dev.halfcell.cli;

import dev.halfcell.cli.text.Printable;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Where the program prints.
 *
 * @param out results and progress
 * @param err errors, a line each
 * @param terminal whether {@code out} is a terminal, where lines may be drawn over
 */
record Console(PrintWriter out, PrintWriter err, boolean terminal) {
  /** The console of this process. */
  @SuppressWarnings("SystemConsoleNull") // still null where a provider of consoles says so
  static Console ofProcess() {
    return new Console(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        Optional.ofNullable(System.console()).map(java.io.Console::isTerminal).orElse(false));
  }

  /** Prints an error as one line. */
  void error(String message) {
    err.println("halfcell: " + Printable.text(message));
    err.flush();
  }
}
