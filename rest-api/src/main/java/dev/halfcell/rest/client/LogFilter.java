package dev.halfcell.rest.client;

import java.util.Optional;

/**
 * Which lines of a log are wanted.
 *
 * @param level those that matter at least so much: {@code error}, {@code warning}, {@code info} or
 *     {@code debug}; all where there is none
 * @param tail so many of them, the last ones, up to 10,000; all where there is none
 * @param since those behind so many bytes of the log
 */
public record LogFilter(Optional<String> level, Optional<Integer> tail, long since) {
  /** All lines. */
  public static LogFilter all() {
    return new LogFilter(Optional.empty(), Optional.empty(), 0);
  }

  /** The same without the lines that matter less. */
  public LogFilter atLevel(String least) {
    return new LogFilter(Optional.of(least), tail, since);
  }

  /** The same, no more than so many lines: the last ones. */
  public LogFilter withTail(int lines) {
    return new LogFilter(level, Optional.of(lines), since);
  }

  /** The same behind a place, as {@link JobLog#position}. */
  public LogFilter withSince(long position) {
    return new LogFilter(level, tail, position);
  }

  Query query() {
    Query query = new Query();
    level.ifPresent(least -> query.with("level", least));
    tail.ifPresent(lines -> query.with("tail", String.valueOf(lines)));
    return query.with("since", String.valueOf(since));
  }
}
