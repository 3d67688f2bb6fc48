package dev.halfcell.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** G9: jobs that train are cancelled, one after the other. */
@Tag("slow")
final class CancelLoadTest {
  @TempDir private Path folder;

  private final Goals goals = new Goals();

  @Test
  void aCancelledJobEndsSoonAndItsMemoryIsFree() throws Exception {
    Latencies cancels = new Latencies();
    Latencies exits = new Latencies();
    int ended = 0;
    int jobs = Size.of(3, 100);
    try (MeasuredService service = MeasuredService.start(folder, 1, "dataset: embedded");
        Jobs client = new Jobs(service.port())) {
      for (int i = 0; i < jobs; i++) {
        String job = client.submit(Jobs.endless());
        client.awaitStep(job, 1 + i % 20);
        assertEquals(1, service.workers().size());
        long at = System.nanoTime();
        JsonNode cancelled = client.cancel(job);
        cancels.add(System.nanoTime() - at);
        awaitNoWorker(service);
        exits.add(System.nanoTime() - at);
        ended += cancelled.get("state").stringValue().equals("CANCELLED") ? 1 : 0;
      }
      goals.never("G9 workers left", service.workersLeft(), service.workers());
    }
    Goals.note("cancelled: %s", cancels);
    Goals.note("process gone: %s", exits);
    goals.never("G9 jobs that were cancelled and are not", jobs - ended, ended);
    goals.atMost("G9 p99 until CANCELLED", 2_000, cancels.percentile(99), "ms");
    goals.atMost("G9 p99 until the worker's memory is free", 5_000, exits.percentile(99), "ms");
    goals.check();
  }

  private static void awaitNoWorker(MeasuredService service) throws InterruptedException {
    for (int tries = 0; tries < 2_000 && !service.workers().isEmpty(); tries++) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}
