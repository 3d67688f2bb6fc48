package dev.halfcell.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.cli.RandomNetwork;
import dev.halfcell.cli.TinyFashion;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** G24: what workers hold at most (VmHWM) is what their jobs were accepted with. */
@Tag("slow")
final class JobMemoryTest {
  private static final double LEAST = 0.4;
  private static final double MOST = 1.10;
  private static final long SEED = Long.getLong("halfcell.memory.seed", 1_000);

  @TempDir private Path folder;

  private final Goals goals = new Goals();
  private final List<String> outside = new ArrayList<>();
  private double least = Double.POSITIVE_INFINITY;
  private double most;
  private int measured;

  @Test
  void workersHoldWhatWasEstimated() throws Exception {
    Path data = TinyFashion.write(Files.createDirectory(folder.resolve("data")), 300, 70);
    try (MeasuredService service = MeasuredService.start(folder, 1, "dataset: " + data);
        Jobs jobs = new Jobs(service.port())) {
      for (String network :
          Size.chosen() == Size.FULL
              ? Networks.all().stream().map(NetworkDefinition::name).toList()
              : List.of("lenet5")) {
        for (String level : List.of("O0", "O2")) {
          measure(service, jobs, network + " at " + level, ofTheZoo(network, level));
        }
      }
      for (long seed = SEED; seed < SEED + Size.of(2, 200); seed++) {
        measure(service, jobs, "random " + seed, RandomNetwork.specification(seed));
      }
    }
    Goals.note("%d jobs held %.3f to %.3f of their estimates", measured, least, most);
    goals.never("G24 jobs that held less than 0.4 or more than 1.1 of it", outside.size(), outside);
    goals.check();
  }

  private static String ofTheZoo(String network, String level) {
    return """
        {"network": {"name": "%s"}, "device": "cpu",
         "precision": {"level": "%s", "half": "bf16"}, "training": {"steps": 2}}
        """
        .formatted(network, level);
  }

  private void measure(MeasuredService service, Jobs jobs, String name, String specification)
      throws IOException, InterruptedException {
    String id = jobs.submit(specification);
    long peak = 0;
    JsonNode job = jobs.job(id);
    while (!JobState.valueOf(job.get("state").stringValue()).terminal()) {
      for (ProcessHandle worker : service.workers()) {
        peak = Math.max(peak, peak(worker.pid()));
      }
      TimeUnit.MILLISECONDS.sleep(30);
      job = jobs.job(id);
    }
    assertEquals("SUCCEEDED", job.get("state").stringValue(), job::toString);
    double ratio = peak / (double) job.get("estimatedBytes").longValue();
    least = Math.min(least, ratio);
    most = Math.max(most, ratio);
    measured++;
    String line =
        String.format(Locale.ROOT, "%s: %d MiB, %.3f of its estimate", name, peak >> 20, ratio);
    System.out.println(line);
    if (ratio < LEAST || ratio > MOST) {
      outside.add(line);
    }
  }

  /** 0 where it has ended meanwhile. */
  private static long peak(long process) {
    try {
      return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException _) { // it is gone
      return 0;
    }
  }
}
