package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.train.TrainEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsRowsTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("metrics.jsonl");
  }

  private DataException refused(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return assertThrows(DataException.class, () -> MetricsRows.parse(bytes, file()));
  }

  @Test
  void stepsComeBackAsTheyWereWritten() throws IOException {
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file())) {
      metrics.on(Steps.clean(1, 0.1 + 0.2, 3.5));
      metrics.on(Steps.overflow(2, Double.NaN, 4));
      assertTrue(metrics.force() > 0);
    }
    List<TrainEvent.StepTaken> steps = MetricsRows.parse(Files.readAllBytes(file()), file());
    assertEquals(2, steps.size());
    assertEquals(0.1 + 0.2, steps.get(0).result().loss());
    assertEquals(3.5, steps.get(0).milliseconds());
    assertEquals(1, steps.get(0).result().tries());
    assertTrue(steps.get(0).result().applied());
    assertEquals(2, steps.get(1).step());
    assertTrue(Double.isNaN(steps.get(1).result().loss()));
    assertTrue(steps.get(1).result().overflow());
    assertEquals(4, steps.get(1).result().nextScale());
    assertEquals(8, steps.get(1).result().usedScale());
  }

  @Test
  void linesBehindALengthAreCutAndOthersAreWrittenBehindIt() throws IOException {
    long length;
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file())) {
      metrics.on(Steps.clean(1, 2.5, 3.5));
      length = metrics.force();
      metrics.on(Steps.clean(2, 9, 9));
    }
    try (MetricsFile metrics = MetricsFile.goOn(Disk.local(), file(), length)) {
      metrics.on(Steps.clean(2, 1.5, 3.5));
      assertEquals(2 * length, metrics.force());
    }
    List<TrainEvent.StepTaken> steps = MetricsRows.parse(Files.readAllBytes(file()), file());
    assertEquals(List.of(2.5, 1.5), steps.stream().map(step -> step.result().loss()).toList());
  }

  /** The length is what a checkpoint says, which may be from elsewhere. */
  @Test
  void aLengthBehindTheEndOfTheFileIsRefused() throws IOException {
    Files.writeString(file(), "{}");
    for (long length : new long[] {3, Integer.MAX_VALUE, 999_999_999_999L}) {
      DataException refused =
          assertThrows(DataException.class, () -> MetricsRows.bytes(Disk.local(), file(), length));
      assertEquals("at least " + length + " bytes", refused.problem().expected());
      assertEquals("2 bytes", refused.problem().got());
    }
    assertEquals(2, MetricsRows.bytes(Disk.local(), file(), 2).length);
  }

  @Test
  void whatIsNoLineOfAStepIsRefused() {
    assertEquals("a JSON object on each line", refused("{\"step\":1").problem().expected());
    assertTrue(refused("{\"step\":1}").problem().expected().startsWith("a number under "));
  }
}
