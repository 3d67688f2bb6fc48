package dev.halfcell.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.cli.TinyFashion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** G14: many follow a job, and one of them does not read. */
@Tag("slow")
final class StreamLoadTest {
  private static final int READERS = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** An epoch has three events: its steps, its end, and what it was measured by. */
  private static final String EVENTFUL =
      """
      {"network": {"name": "mlp"}, "device": "cpu", "precision": {"level": "O0"},
       "training": {"epochs": 10000, "batchSize": %d, "seed": 3},
       "checkpoint": {"everySteps": 100000}}
      """;

  @TempDir private Path folder;

  private final Goals goals = new Goals();

  private MeasuredService start(int samples) throws IOException {
    Path data = TinyFashion.write(Files.createDirectory(folder.resolve("data")), samples, 16);
    return MeasuredService.start(folder, 1, "dataset: " + data);
  }

  @Test
  void fiveHundredReadersMissNothing() throws Exception {
    try (MeasuredService service = start(2_000);
        Jobs jobs = new Jobs(service.port())) {
      String job = jobs.submit(EVENTFUL.formatted(16));
      jobs.awaitStep(job, 1);
      try (StreamReaders streams = StreamReaders.open(service.port(), job, READERS)) {
        TimeUnit.NANOSECONDS.sleep(Size.seconds(10, 60).toNanos());
        double seconds = Size.seconds(10, 60).toSeconds();
        jobs.cancel(job);
        List<StreamReader> readers = streams.await(PATIENCE);
        long events = lastEvent(jobs, job);
        Goals.note(
            "%d events, %.1f a second, for each of %d readers: delays of %s",
            events, events / seconds, READERS, streams.delays());
        same(readers, events);
        goals.atLeast("G14 events a second to each", 10, events / seconds, "/s");
        goals.atMost("G14 p99 delay of events", 500, streams.delays().percentile(99), "ms");
      }
      streamsOpen(jobs, 0);
      Goals.note("%s", service.figures());
    }
    goals.check();
  }

  private void same(List<StreamReader> readers, long events) {
    goals.never("G14 events missed", sum(readers, StreamReader::missed), "numbers left out");
    goals.never(
        "G14 streams that broke off",
        readers.stream().filter(reader -> !reader.ended()).count(),
        readers.stream().map(StreamReader::refused).distinct().toList());
    goals.never(
        "G14 streams without the last event",
        readers.stream().filter(reader -> reader.last() != events).count(),
        "the last is " + events);
  }

  private static long sum(
      List<StreamReader> readers, java.util.function.ToLongFunction<StreamReader> figure) {
    return readers.stream().mapToLong(figure).sum();
  }

  private static long lastEvent(Jobs jobs, String job) throws IOException {
    long last = 0;
    for (boolean more = true; more; ) {
      var page = jobs.get("/v1/jobs/" + job + "/events?limit=500&after=" + last);
      more = !page.get("events").isEmpty();
      last = page.get("after").longValue();
    }
    return last;
  }

  /** A history of megabytes, which one asks for and does not read. */
  @Test
  void aReaderWhoStandsStillIsDroppedAndOthersAreNot() throws Exception {
    try (MeasuredService service = start(16);
        Jobs jobs = new Jobs(service.port())) {
      String job = jobs.submit(EVENTFUL.formatted(16));
      awaitEvents(jobs, job, 15_000);
      long descriptors = service.figures().files();
      try (SocketChannel still = SocketChannel.open()) {
        still.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        still.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()));
        StreamReader.ask(still, job, 0);
        try (StreamReaders streams = StreamReaders.open(service.port(), job, 10)) {
          streamsOpen(jobs, 10);
          goals.never(
              "G14 connections of a dropped reader that stay open",
              Math.max(0, awaitFiles(service, descriptors + 10) - descriptors - 10),
              service.figures());
          jobs.cancel(job);
          same(streams.await(PATIENCE), lastEvent(jobs, job));
        }
      }
    }
    goals.check();
  }

  private static void awaitEvents(Jobs jobs, String job, long count)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (long last = 0; last < count; last = lastEvent(jobs, job)) {
      assertEquals(true, System.nanoTime() < end, "too few events: " + last);
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private static long awaitFiles(MeasuredService service, long wanted)
      throws IOException, InterruptedException {
    for (int tries = 0; tries < 100 && service.figures().files() > wanted; tries++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return service.figures().files();
  }

  /** Waits until so many streams are open. */
  private void streamsOpen(Jobs jobs, int wanted) throws IOException, InterruptedException {
    double open = -1;
    for (int tries = 0; tries < 200 && open != wanted; tries++) {
      open = jobs.figure("halfcell_http_streams");
      TimeUnit.MILLISECONDS.sleep(50);
    }
    goals.never("G14 streams open beside the " + wanted + " that are read", (long) open - wanted, open);
  }
}
