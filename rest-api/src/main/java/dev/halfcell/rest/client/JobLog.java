package dev.halfcell.rest.client;

import java.util.List;

/**
 * What the workers of a job printed, as far as it was asked for.
 *
 * @param lines in their order
 * @param position the byte of the log behind the last of them; {@link LogFilter#withSince} goes on
 *     there
 */
public record JobLog(List<LogLine> lines, long position) {
  public JobLog {
    lines = List.copyOf(lines);
  }
}
