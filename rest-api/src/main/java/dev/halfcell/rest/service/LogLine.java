package dev.halfcell.rest.service;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a job's log, as {@code 2026-11-22T22:38:03.123Z INFO attempt=1 step=20 trace=… text}.
 *
 * @param time when its server read it; none of a line that was not stamped
 * @param level how much it matters
 * @param attempt whose worker printed it
 * @param step the last step that was told of by then
 * @param trace the trace of the request that the job came with
 * @param message what was printed
 */
public record LogLine(
    Optional<Instant> time,
    LogLevel level,
    Optional<Integer> attempt,
    Optional<Long> step,
    Optional<String> trace,
    String message) {
  private static final Pattern STAMPED =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\dT[0-9:.]{8,18}Z) (ERROR|WARNING|INFO|DEBUG) attempt=(\\d{1,9})"
              + "(?: step=(\\d{1,18}))?(?: trace=([0-9a-f]{32}))? (.*)",
          Pattern.DOTALL);

  /** One that nothing is known of but its text. */
  static LogLine plain(LogLevel level, String message) {
    return new LogLine(
        Optional.empty(), level, Optional.empty(), Optional.empty(), Optional.empty(), message);
  }

  /** What a line says, without its end. One that was never stamped tells of itself alone. */
  static LogLine parse(String text) {
    Matcher said = STAMPED.matcher(text);
    if (!said.matches()) {
      return plain(LogLevel.INFO, text);
    }
    try {
      return new LogLine(
          Optional.of(Instant.parse(said.group(1))),
          LogLevel.valueOf(said.group(2)),
          Optional.of(Integer.valueOf(said.group(3))),
          Optional.ofNullable(said.group(4)).map(Long::valueOf),
          Optional.ofNullable(said.group(5)),
          said.group(6));
    } catch (DateTimeParseException _) {
      return plain(LogLevel.INFO, text);
    }
  }

  /** As it is kept, without its end. */
  public String text() {
    if (time.isEmpty() || attempt.isEmpty()) {
      return message;
    }
    StringBuilder text = new StringBuilder();
    text.append(time.get().truncatedTo(ChronoUnit.MILLIS)).append(' ').append(level);
    text.append(" attempt=").append(attempt.get());
    step.ifPresent(number -> text.append(" step=").append(number));
    trace.ifPresent(id -> text.append(" trace=").append(id));
    return text.append(' ').append(message).toString();
  }
}
