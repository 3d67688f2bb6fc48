package dev.halfcell.cli;

import dev.halfcell.cli.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /**
   * Prints what is left, and gives where some of the output could not be written; none where all
   * could, or where a reader has had enough of it and is gone, as {@code head} is.
   */
  Optional<String> lost() {
    return out.checkError()
        ? target().filter(to -> !to.matches("(pipe|socket):.*"))
        : Optional.empty();
  }

  /** Java does not say why output failed; of a pipe it can only be that nobody reads it. */
  private static Optional<String> target() {
    try {
      return Optional.of(Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Prints an error as one line. */
  void error(String message) {
    err.println("halfcell: " + Printable.text(message));
    err.flush();
  }
}
