package dev.halfcell.rest.client;

import dev.halfcell.tensor.ArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks for the log of one job. Threads may share it. */
final class LogReading {
  private static final Pattern POSITION = Pattern.compile("\\d{1,18}");
  private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

  private final Transport transport;
  private final String path;

  LogReading(Transport transport, String path) {
    this.transport = transport;
    this.path = path;
  }

  /** Its lines, each an object. */
  JobLog lines(LogFilter filter) {
    Call call = Call.get(path + filter.query()).with("Accept", "application/x-ndjson");
    Reply reply = transport.send(call);
    List<LogLine> lines =
        new String(reply.body(), StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.getBytes(StandardCharsets.UTF_8))
            .map(line -> transport.read(call, line, LogLine.class))
            .toList();
    String position = header(call, reply, "Log-Position", POSITION).group();
    return new JobLog(lines, Long.parseLong(position));
  }

  /** Its bytes from one place to before another. */
  LogPart part(long from, long to) {
    ArgumentException.require(
        from >= 0 && from < to, "log", "some bytes from 0 on", "from " + from + " to " + to);
    Call call = Call.get(path).with("Range", "bytes=" + from + "-" + (to - 1));
    Reply reply = transport.send(call.with("Accept", "text/plain"));
    Matcher range = header(call, reply, "Content-Range", RANGE);
    LogPart part =
        new LogPart(Long.parseLong(range.group(1)), reply.body(), Long.parseLong(range.group(3)));
    if (part.from() != from || part.end() != Long.parseLong(range.group(2)) + 1) {
      throw odd(call, "bytes that were not asked for");
    }
    return part;
  }

  private Matcher header(Call call, Reply reply, String name, Pattern form) {
    String said = reply.headers().firstValue(name).orElse("");
    Matcher matcher = form.matcher(said);
    if (!matcher.matches()) {
      throw odd(call, "a log with '" + said + "' for " + name);
    }
    return matcher;
  }

  private AnswerException odd(Call call, String got) {
    return new AnswerException(call.toString(), transport.settings().server(), got);
  }
}
