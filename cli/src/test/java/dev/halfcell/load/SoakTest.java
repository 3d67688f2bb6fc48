package dev.halfcell.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * G28: all at once, for long; {@code -Dhalfcell.load.minutes=120} for two hours. The server is
 * killed once in each minute.
 */
@Tag("slow")
final class SoakTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final double QUARTER = 0.25;
  private static final int MINUTE = 60_000;

  /** Stays where the test fails: its log says why. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  private final Goals goals = new Goals();

  @Test
  void nothingIsLostInAllThatHappens() throws Exception {
    int minutes = Integer.getInteger("halfcell.load.minutes", Size.of(1, 5));
    long seed = Long.getLong("halfcell.load.seed", System.nanoTime());
    Goals.note("seed %d, files in %s", seed, folder);
    Random random = new Random(seed);
    try (MeasuredService service = MeasuredService.start(folder, 2, "dataset: embedded")) {
      Soak soak = new Soak(service.port(), seed);
      soak.begin();
      for (int minute = 0; minute < minutes; minute++) {
        int until = random.nextInt(MINUTE / 6, MINUTE * 5 / 6);
        TimeUnit.MILLISECONDS.sleep(until);
        service.kill();
        service.beginAgain();
        TimeUnit.MILLISECONDS.sleep(MINUTE - until);
      }
      var jobs = soak.end(PATIENCE);
      List<String> violations = soak.checker().end(jobs);
      double first = soak.reads().part(0, QUARTER).percentile(99);
      double last = soak.reads().part(1 - QUARTER, 1).percentile(99);
      Goals.note(
          "%d minutes, %d jobs, %d broken connections: %s",
          minutes, jobs.size(), soak.retries(), soak.reads());
      Goals.note("p99 in the first quarter %.2f ms, in the last %.2f ms", first, last);
      Goals.note("%s", service.figures());
      goals.never("G28 invariants violated", violations.size(), violations);
      goals.never("G28 workers left", service.workersLeft(), service.workers());
      goals.atMost("G28 p99 in the last quarter by that of the first", 1.2, last / first, "");
      goals.never("G28 exit code", service.end(), "it was told to end");
    }
    goals.check();
  }
}
