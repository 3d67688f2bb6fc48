package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.JobLog;
import dev.halfcell.rest.service.JobService;
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
    if (request.flag("follow")) {
      long from = start(request, log, length);
      StreamLimit.Place place = streams.take();
      return new Answer.Flow(
          headers(from),
          outlet -> {
            try (place) {
              follow(request, log, from, outlet, place);
            }
          });
    }
    Optional<ByteRange> range = ByteRange.of(request.textOf("Range"), length);
    if (range.isPresent()) {
      return part(log, range.get(), length);
    }
    long from = start(request, log, length);
    return new Answer.Flow(headers(length), outlet -> copy(log, from, length, outlet));
  }

  private static long start(Request request, JobLog log, long length) {
    long since = request.number("since").orElse(0L);
    long tail =
        request
            .number("tail")
            .map(lines -> log.startOfLast(Math.toIntExact(lines), length))
            .orElse(0L);
    return Math.min(length, Math.max(since, tail));
  }

  private static Map<String, String> headers(long position) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "text/plain; charset=utf-8");
    headers.put("Accept-Ranges", "bytes");
    headers.put("Log-Position", Long.toString(position));
    return headers;
  }

  private static Answer part(JobLog log, ByteRange range, long length) {
    byte[] body = log.read(range.from(), range.from() + range.length());
    ByteRange read = new ByteRange(range.from(), body.length);
    Map<String, String> headers = headers(range.from() + body.length);
    headers.put("Content-Range", read.header(length));
    return new Answer.Whole(206, headers, Buffer.buffer(body));
  }

  private static long copy(JobLog log, long from, long to, Outlet outlet) {
    long at = from;
    while (at < to) {
      byte[] block = log.read(at, to);
      if (block.length == 0) {
        return at;
      }
      if (!outlet.write(block)) {
        outlet.breakOff();
        return -1;
      }
      at += block.length;
    }
    return at;
  }

  /** The job is looked at before the file: what it printed at last is in it then. */
  private void follow(
      Request request, JobLog log, long from, Outlet outlet, StreamLimit.Place place) {
    long at = from;
    while (at >= 0 && outlet.open()) {
      boolean over = jobs.find(request.caller(), request.path("id")).state().terminal();
      at = copy(log, at, log.length(), outlet);
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
