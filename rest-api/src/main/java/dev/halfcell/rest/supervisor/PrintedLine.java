package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.service.LogLevel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much a line that a worker printed matters, as far as it says. What marks nothing comes of
 * Java itself or of native code, which speak where something is wrong: it counts as a warning.
 *
 * @param level how much it matters
 * @param marked whether it says so itself
 * @param text the line without its mark
 */
record PrintedLine(LogLevel level, boolean marked, String text) {
  /** As the loggers of SLF4J and of Java print: {@code [main] INFO name - text}, {@code INFO: }. */
  private static final Pattern MARK =
      Pattern.compile(
          "(?:\\[[^\\]]{1,64}\\] (TRACE|DEBUG|INFO|WARN|ERROR) \\S{1,200} - |"
              + "(SEVERE|WARNING|INFO|CONFIG|FINE|FINER|FINEST): )(.*)",
          Pattern.DOTALL);

  private static final Pattern TRACE = Pattern.compile("\\s.*|Caused by: .*|Suppressed: .*");

  /** The head line that Java's own logger puts before each line. */
  private static final Pattern HEAD =
      Pattern.compile("[A-Z][a-z]{2} \\d{1,2}, \\d{4} \\d{1,2}:\\d\\d:\\d\\d.[AP]M .*");

  /** What a line says behind another. */
  static PrintedLine of(String line, PrintedLine before) {
    Matcher mark = MARK.matcher(line);
    if (mark.matches()) {
      String word = mark.group(1) == null ? mark.group(2) : mark.group(1);
      return new PrintedLine(level(word), true, mark.group(3));
    }
    if (HEAD.matcher(line).matches()) {
      return new PrintedLine(LogLevel.DEBUG, false, line);
    }
    boolean follows =
        TRACE.matcher(line).matches() || (before.marked() && before.level() == LogLevel.ERROR);
    return new PrintedLine(follows ? before.level() : LogLevel.WARNING, false, line);
  }

  /** What is before the first one. */
  static PrintedLine none() {
    return new PrintedLine(LogLevel.WARNING, false, "");
  }

  private static LogLevel level(String word) {
    return switch (word) {
      case "ERROR", "SEVERE" -> LogLevel.ERROR;
      case "WARN", "WARNING" -> LogLevel.WARNING;
      case "INFO" -> LogLevel.INFO;
      default -> LogLevel.DEBUG;
    };
  }
}
