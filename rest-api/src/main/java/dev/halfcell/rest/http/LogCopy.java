package dev.halfcell.rest.http;

import dev.halfcell.rest.service.JobLog;
import dev.halfcell.rest.service.LogLevel;
import dev.halfcell.rest.service.LogLine;
import dev.halfcell.rest.service.LogLines;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Writes a log into an answer, in one of its forms. One thread. */
abstract sealed class LogCopy {
  static final String TEXT = "text/plain";

  private static final int BLOCK = 1 << 15;

  /** Writes what lies before a place; whether the reader keeps up. */
  abstract boolean to(long end);

  /** Writes a last line that has no end; whether the reader keeps up. */
  abstract boolean end();

  /**
   * One from a place on.
   *
   * @param text whether it is text, and not JSON
   * @param least lines that matter less are left out
   */
  static LogCopy of(JobLog log, long from, boolean text, Optional<LogLevel> least, Outlet outlet) {
    return text && least.isEmpty()
        ? new Bytes(log, from, outlet)
        : new Lines(new LogLines(log, from), text, least.orElse(LogLevel.DEBUG), outlet);
  }

  /** Where the last lines begin that matter so much. */
  static long startOfLast(JobLog log, long since, long length, int lines, LogLevel least) {
    long[] wanted = {0};
    LogLines counted = new LogLines(log, since);
    counted.read(
        length,
        line -> {
          wanted[0] += line.level().atLeast(least) ? 1 : 0;
          return true;
        });
    long[] over = {wanted[0] - lines};
    if (over[0] <= 0) {
      return since;
    }
    LogLines passed = new LogLines(log, since);
    long[] start = {length};
    passed.read(
        length,
        line -> {
          if (line.level().atLeast(least) && over[0]-- == 0) {
            start[0] = passed.place();
            return false;
          }
          return true;
        });
    return start[0];
  }

  /** As it is. */
  private static final class Bytes extends LogCopy {
    private final JobLog log;
    private final Outlet outlet;
    private long at;

    Bytes(JobLog log, long from, Outlet outlet) {
      this.log = log;
      this.at = from;
      this.outlet = outlet;
    }

    @Override
    boolean to(long end) {
      while (at < end) {
        JobLog.Block block = log.read(at, end);
        if (block.bytes().length == 0) {
          return true;
        }
        if (block.from() > at && !outlet.write(mark(block.from() - at))) {
          return false;
        }
        if (!outlet.write(block.bytes())) {
          return false;
        }
        at = block.end();
      }
      return true;
    }

    @Override
    boolean end() {
      return true;
    }

    private static byte[] mark(long bytes) {
      return (JobLog.cut(bytes) + "\n").getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Line by line. */
  private static final class Lines extends LogCopy {
    private final LogLines lines;
    private final boolean text;
    private final LogLevel least;
    private final Outlet outlet;
    private final StringBuilder block = new StringBuilder();

    Lines(LogLines lines, boolean text, LogLevel least, Outlet outlet) {
      this.lines = lines;
      this.text = text;
      this.least = least;
      this.outlet = outlet;
    }

    @Override
    boolean to(long end) {
      return lines.read(end, this::write) && flush();
    }

    @Override
    boolean end() {
      return lines.rest(this::write) && flush();
    }

    private boolean write(LogLine line) {
      if (line.level().atLeast(least)) {
        block.append(text ? line.text() : json(line).toString()).append('\n');
      }
      return block.length() < BLOCK || flush();
    }

    private boolean flush() {
      byte[] bytes = block.toString().getBytes(StandardCharsets.UTF_8);
      block.setLength(0);
      return bytes.length == 0 || outlet.write(bytes);
    }
  }

  private static ObjectNode json(LogLine line) {
    ObjectNode node = Json.object();
    Json.put(node, "time", line.time().map(Object::toString));
    node.put("level", line.level().label());
    node.put("message", line.message());
    Json.put(node, "attempt", line.attempt());
    Json.put(node, "step", line.step());
    Json.put(node, "traceId", line.trace());
    return node;
  }
}
