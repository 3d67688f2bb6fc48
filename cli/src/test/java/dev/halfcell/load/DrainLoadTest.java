package dev.halfcell.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** G8: a server that is asked to end, again and again, while two jobs train. */
@Tag("slow")
final class DrainLoadTest {
  private static final int JOBS = 2;
  private static final long STEPS = 50;

  @TempDir private Path folder;

  private final Goals goals = new Goals();

  @Test
  void allIsSavedSoonAndNothingIsDoneAgain() throws Exception {
    Latencies drains = new Latencies();
    int lives = Size.of(2, 20);
    long redone = 0;
    int disorderly = 0;
    try (MeasuredService service = MeasuredService.start(folder, JOBS, "dataset: embedded")) {
      List<String> ids = new ArrayList<>();
      try (Jobs jobs = new Jobs(service.port())) {
        for (int i = 0; i < JOBS; i++) {
          ids.add(jobs.submit(Jobs.endless()));
        }
      }
      for (int life = 1; life <= lives; life++) {
        redone += redone(service, ids, life);
        long at = System.nanoTime();
        disorderly += service.end() == 0 && service.workers().isEmpty() ? 0 : 1;
        drains.add(System.nanoTime() - at);
        service.beginAgain();
      }
      redone += redone(service, ids, lives + 1);
    }
    Goals.note("ended: %s", drains);
    goals.never("G8 ends with another code than 0, or with workers left", disorderly, lives);
    goals.never("G8 steps done again", redone, "in " + lives + " lives");
    goals.atMost(
        "G8 longest time until the server has ended", 10_000, drains.percentile(100), "ms");
    goals.check();
  }

  /** Waits until all train on, and says how many steps behind the last that was told they began. */
  private static long redone(MeasuredService service, List<String> ids, int attempt)
      throws IOException, InterruptedException {
    long redone = 0;
    try (Jobs jobs = new Jobs(service.port())) {
      Map<String, Long> told = new LinkedHashMap<>();
      for (String id : ids) {
        told.put(id, told(jobs, id));
      }
      for (Map.Entry<String, Long> each : told.entrySet()) {
        redone += Math.abs(fromStep(jobs, each.getKey(), attempt) - each.getValue());
        jobs.awaitStep(each.getKey(), each.getValue() + STEPS);
      }
    }
    return redone;
  }

  /** The last step that an event tells of. */
  private static long told(Jobs jobs, String id) throws IOException {
    long step = 0;
    long after = 0;
    boolean more = true;
    while (more) {
      JsonNode page = jobs.get("/v1/jobs/" + id + "/events?limit=500&after=" + after);
      for (JsonNode event : page.get("events")) {
        step = Math.max(step, event.at("/data/step").asLong(0));
      }
      more = !page.get("events").isEmpty();
      after = page.get("after").longValue();
    }
    return step;
  }

  private static long fromStep(Jobs jobs, String id, int attempt)
      throws IOException, InterruptedException {
    JsonNode attempts = jobs.job(id).get("attempts");
    while (attempts.size() < attempt || !attempts.get(attempt - 1).hasNonNull("fromStep")) {
      TimeUnit.MILLISECONDS.sleep(20);
      attempts = jobs.job(id).get("attempts");
    }
    return attempts.get(attempt - 1).get("fromStep").longValue();
  }
}
