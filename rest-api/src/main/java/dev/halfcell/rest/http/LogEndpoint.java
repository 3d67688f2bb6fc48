package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.JobLog;
import dev.halfcell.rest.service.JobService;
import dev.halfcell.rest.service.LogLevel;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What workers printed. */
final class LogEndpoint implements Endpoint {
  private static final long LOOK_MILLISECONDS = 250;

  private final JobService jobs;
  private final JobFolders folders;
  private final StreamLimit streams;

  LogEndpoint(JobService jobs, JobFolders folders, StreamLimit streams) {
    this.jobs = jobs;
    this.folders = folders;
    this.streams = streams;
  }

  @Override
  public Answer answer(Request request) {
    JobId job = jobs.find(request.caller(), request.path("id")).id();
    JobLog log = new JobLog(folders.log(job));
    long length = log.length();
    Optional<LogLevel> least = request.textOf("level").map(LogLevel::named);
    boolean text = request.mediaType().equals(LogCopy.TEXT);
    if (request.flag("follow")) {
      long from = start(request, log, length, least);
      StreamLimit.Place place = streams.take();
      return new Answer.Flow(
          headers(request, from),
          outlet -> {
            try (place) {
              follow(request, log, LogCopy.of(log, from, text, least, outlet), outlet, place);
            }
          });
    }
    if (text && least.isEmpty()) {
      Optional<ByteRange> range = ByteRange.of(request.textOf("Range"), length);
      if (range.isPresent()) {
        return part(request, log, range.get(), length);
      }
    }
    long from = start(request, log, length, least);
    return new Answer.Flow(
        headers(request, length),
        outlet -> {
          LogCopy copy = LogCopy.of(log, from, text, least, outlet);
          if (!(copy.to(length) && copy.end())) {
            outlet.breakOff();
          }
        });
  }

  private static long start(Request request, JobLog log, long length, Optional<LogLevel> least) {
    long since = Math.min(length, request.number("since").orElse(0L));
    Optional<Integer> lines = request.number("tail").map(Math::toIntExact);
    if (lines.isEmpty()) {
      return since;
    }
    return least.isPresent()
        ? LogCopy.startOfLast(log, since, length, lines.get(), least.get())
        : Math.max(since, log.startOfLast(lines.get(), length));
  }

  private static Map<String, String> headers(Request request, long position) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", request.mediaType() + "; charset=utf-8");
    headers.put("Accept-Ranges", "bytes");
    headers.put("Log-Position", Long.toString(position));
    return headers;
  }

  private static Answer part(Request request, JobLog log, ByteRange range, long length) {
    JobLog.Block block = log.read(range.from(), range.from() + range.length());
    if (block.from() != range.from() || block.bytes().length == 0) {
      throw Refusal.of(ProblemKind.RANGE_NOT_SATISFIABLE, "These bytes were cut out.")
          .with("Content-Range", "bytes */" + length);
    }
    ByteRange read = new ByteRange(block.from(), block.bytes().length);
    Map<String, String> headers = headers(request, block.end());
    headers.put("Content-Range", read.header(length));
    return new Answer.Whole(206, headers, Buffer.buffer(block.bytes()));
  }

  /** The job is looked at before the file: what it printed at last is in it then. */
  private void follow(
      Request request, JobLog log, LogCopy copy, Outlet outlet, StreamLimit.Place place) {
    while (outlet.open()) {
      boolean over = jobs.find(request.caller(), request.path("id")).state().terminal();
      if (!copy.to(log.length()) || (over && !copy.end())) {
        outlet.breakOff();
        return;
      }
      if (over) {
        return;
      }
      if (place.all().ending()) {
        outlet.breakOff(); // a text has no other way to say that it is not whole
        return;
      }
      try {
        Thread.sleep(LOOK_MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        outlet.breakOff();
        return;
      }
    }
  }
}
