package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.disk.Disk;
import dev.halfcell.train.TrainEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsFileTest {
  private static final String FIRST =
      """
      {"step":1,"epoch":1,"loss":2.5,"scale":8.0,"overflow":false,"applied":true,\
      "next_scale":8.0,"lr":0.01,"step_ms":3.5,"data_wait_ms":0.4375}""";
  private static final String SECOND =
      """
      {"step":2,"epoch":1,"loss":null,"scale":8.0,"overflow":true,"applied":false,\
      "next_scale":4.0,"lr":0.01,"step_ms":4.0,"data_wait_ms":0.5}""";

  @TempDir private Path folder;

  @Test
  void writesALineAStepAndNullForWhatIsNotFinite() throws IOException {
    Path file = folder.resolve("metrics.jsonl");
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file)) {
      metrics.on(new TrainEvent.EpochStarted(1, 1, 2));
      metrics.on(Steps.clean(1, 2.5, 3.5));
      metrics.on(Steps.overflow(2, Double.NaN, 4));
    }
    assertEquals(List.of(FIRST, SECOND), Files.readAllLines(file));
  }

  @Test
  void anEpochIsOnDiskWhenItEnds() throws IOException {
    Path file = folder.resolve("metrics.jsonl");
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file)) {
      metrics.on(Steps.clean(1, 2.5, 3.5));
      metrics.on(new TrainEvent.EpochEnded(1, 2.5, 10, 0, 1));
      assertEquals(List.of(FIRST), Files.readAllLines(file));
    }
  }
}
