package dev.halfcell.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** G25: a server has many jobs behind it and holds no more than after the first of them. */
@Tag("slow")
final class EnduranceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Longer than the half minute after which an idle server ends threads and connections. */
  private static final int SETTLED_SECONDS = Size.of(3, 40);

  /** Reads that each may close one connection to the database. */
  private static final int READS = 10;

  @TempDir private Path folder;

  private final Goals goals = new Goals();

  @Test
  void manyJobsLeaveNothingBehind() throws Exception {
    int count = Size.of(10, 200);
    try (MeasuredService service = MeasuredService.start(folder, 2, "dataset: embedded")) {
      run(service, Size.of(4, 20));
      ServerFigures before = settled(service);
      long begin = System.nanoTime();
      run(service, count);
      double seconds = (System.nanoTime() - begin) / 1e9;
      ServerFigures after = settled(service);
      Goals.note("before: %s", before);
      Goals.note("after %d jobs in %.0f s: %s", count, seconds, after);
      Goals.note("threads that were not there: %s", after.threadsSince(before));
      goals.atMost(
          "G25 memory of the server after " + count + " jobs",
          32,
          after.mebibytes() - before.mebibytes(),
          "MiB more");
      goals.never("G25 files left open", Math.max(0, after.files() - before.files()), after);
      goals.atMost(
          "G25 threads", 0, (double) Math.max(0, after.threads() - before.threads()), "more");
      goals.never("G25 workers left", service.workersLeft(), service.workers());
    }
    goals.check();
  }

  /** Each job is followed, by a stream and by reading its state. */
  private void run(MeasuredService service, int count) throws IOException, InterruptedException {
    List<String> ids = new ArrayList<>();
    try (Jobs jobs = new Jobs(service.port())) {
      for (int i = 0; i < count; i++) {
        ids.add(jobs.submit(Jobs.ofSteps(30)));
      }
      int failed = 0;
      for (String id : ids) {
        try (StreamReaders streams = StreamReaders.open(service.port(), id, 3)) {
          long broken =
              streams.await(PATIENCE).stream()
                  .filter(reader -> !reader.ended() || reader.missed() > 0)
                  .count();
          failed += jobs.state(id).equals("SUCCEEDED") && broken == 0 ? 0 : 1;
        }
      }
      goals.never("G25 jobs that failed, or were not told whole", failed, "of " + count);
    }
  }

  /** What was held for those jobs alone takes its time to go, and so does what was held to ask. */
  private static ServerFigures settled(MeasuredService service)
      throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(SETTLED_SECONDS);
    try (Jobs jobs = new Jobs(service.port())) {
      for (int read = 0; read < READS; read++) {
        jobs.all();
      }
    }
    TimeUnit.SECONDS.sleep(SETTLED_SECONDS);
    return service.figures();
  }
}
