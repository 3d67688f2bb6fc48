package dev.halfcell.rest.service;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** Reads a log line by line, from a place on; what is cut out is told by a line. One thread. */
public final class LogLines {
  private static final int LONGEST = 1 << 17;

  private final JobLog log;
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private long at;
  private long place;

  /** One of a log. */
  public LogLines(JobLog log, long from) {
    this.log = log;
    this.at = from;
    this.place = from;
  }

  /** Where the line begins that was told last. */
  public long place() {
    return place;
  }

  /**
   * Tells of all whole lines before a place.
   *
   * @param told whether it wants more
   * @return whether it did
   */
  public boolean read(long to, Predicate<LogLine> told) {
    while (at < to) {
      JobLog.Block block = log.read(at, to);
      if (block.bytes().length == 0) {
        return true;
      }
      boolean cut = block.from() > at;
      if (cut && !(rest(told) && told.test(mark(block.from() - at)))) {
        return false;
      }
      at = block.end();
      if (!split(block, told)) {
        return false;
      }
    }
    return true;
  }

  private static LogLine mark(long bytes) {
    return LogLine.plain(LogLevel.WARNING, JobLog.cut(bytes));
  }

  private boolean split(JobLog.Block block, Predicate<LogLine> told) {
    byte[] bytes = block.bytes();
    int from = 0;
    for (int i = 0; i < bytes.length; i++) {
      boolean end = bytes[i] == '\n';
      if (end || begun.size() + i - from >= LONGEST) {
        place = block.from() + from - begun.size();
        begun.write(bytes, from, i - from);
        from = end ? i + 1 : i;
        if (!told.test(line())) {
          return false;
        }
      }
    }
    begun.write(bytes, from, bytes.length - from);
    return true;
  }

  private LogLine line() {
    String text = begun.toString(StandardCharsets.UTF_8);
    begun.reset();
    return LogLine.parse(text);
  }

  /** Tells of a last line that has no end, if there is one; whether more is wanted. */
  public boolean rest(Predicate<LogLine> told) {
    return begun.size() == 0 || told.test(line());
  }
}
