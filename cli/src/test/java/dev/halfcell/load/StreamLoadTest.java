package dev.halfcell.load;

import dev.halfcell.cli.TinyFashion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** G14: many follow a job, and one of them does not read. */
@Tag("slow")
final class StreamLoadTest {
  private static final int READERS = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** An epoch has three events: its steps, its end, and what it was measured by. */
  private static final String EVENTFUL =
      """
      {"network": {"name": "mlp"}, "device": "cpu", "precision": {"level": "O0"},
       "training": {"epochs": 10000, "batchSize": 16, "seed": 3},
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
    try (MeasuredService service = start(400);
        Jobs jobs = new Jobs(service.port())) {
      String job = jobs.submit(EVENTFUL);
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
        // The first tenth is that in which all of them came.
        Latencies settled = streams.delays().part(0.1, 1);
        goals.atMost("G14 p99 delay of events", 500, settled.percentile(99), "ms");
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
    try (MeasuredService service = start(2_000)) {
      String job = withLongHistory(service);
      try (Jobs jobs = new Jobs(service.port())) {
        readBesideOneWhoDoesNot(service, jobs, job);
      }
    }
    goals.check();
  }

  private static String withLongHistory(MeasuredService service) throws Exception {
    String job;
    try (Jobs jobs = new Jobs(service.port())) {
      job = jobs.submit(Jobs.endless());
      jobs.awaitStep(job, 1);
      JsonNode running = jobs.job(job);
      service.kill();
      LongHistory.write(service.folder(), running, 12_000, 1_500);
    }
    service.beginAgain();
    return job;
  }

  private void readBesideOneWhoDoesNot(MeasuredService service, Jobs jobs, String job)
      throws IOException, InterruptedException {
    try (SocketChannel _ = still(service.port(), job)) {
      try (StreamReaders streams = StreamReaders.open(service.port(), job, 10)) {
        streamsOpen(jobs, 10);
        // Those who read, and the one who asks for this.
        double open = settled(jobs, "halfcell_http_connections", 11);
        goals.never("G14 connections of a dropped reader that stay open", (long) open - 11, open);
        jobs.cancel(job);
        same(streams.await(PATIENCE), lastEvent(jobs, job));
      }
    }
  }

  private static SocketChannel still(int port, String job) throws IOException {
    SocketChannel still = SocketChannel.open();
    still.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
    still.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    StreamReader.ask(still, job, 0);
    return still;
  }

  /** As many as may follow ask for megabytes each, and none reads. */
  @Test
  void readersWhoAllStandStillTakeLittleMemory() throws Exception {
    List<SocketChannel> all = new ArrayList<>();
    try (MeasuredService service = start(2_000)) {
      String job = withLongHistory(service);
      ServerFigures before = service.figures();
      try {
        for (int i = 0; i < READERS; i++) {
          all.add(still(service.port(), job));
        }
        try (Jobs jobs = new Jobs(service.port())) {
          for (int i = 0; i < 30; i++) {
            TimeUnit.MILLISECONDS.sleep(200);
            jobs.job(job);
          }
        }
      } finally {
        for (SocketChannel each : all) {
          each.close();
        }
      }
      Goals.note("before %s, beside %d who do not read %s", before, READERS, service.figures());
      goals.never(
          "G14 errors beside readers who stand still", service.errorsLogged(), service.said());
    }
    goals.check();
  }

  /** Waits until so many streams are open; whoever reads of the past may stand still for 30 s. */
  private void streamsOpen(Jobs jobs, int wanted) throws IOException, InterruptedException {
    double open = settled(jobs, "halfcell_http_streams", wanted);
    goals.never(
        "G14 streams open beside the " + wanted + " that are read",
        Math.abs((long) open - wanted),
        open);
  }

  /** A figure when it is as wanted, or has had the time to be. */
  private static double settled(Jobs jobs, String name, double wanted)
      throws IOException, InterruptedException {
    double figure = jobs.figure(name);
    for (int tries = 0; tries < 800 && figure != wanted; tries++) {
      TimeUnit.MILLISECONDS.sleep(50);
      figure = jobs.figure(name);
    }
    return figure;
  }
}
