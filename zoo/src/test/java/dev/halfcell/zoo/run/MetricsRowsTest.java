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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsRowsTest {
  /** Steps whose lines are many blocks long. */
  private static final int MANY = 5000;

  private static final int BLOCK = 1 << 16;

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("metrics.jsonl");
  }

  private DataException refused(String text) throws IOException {
    Files.writeString(file(), text);
    return assertThrows(DataException.class, () -> Steps.in(file()));
  }

  /** Writes so many steps, and returns how long they are. */
  private long write(int steps) {
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file())) {
      for (int step = 1; step <= steps; step++) {
        metrics.on(Steps.clean(step, 1.0 / step, 3.5));
      }
      return metrics.force();
    }
  }

  @Test
  void stepsComeBackAsTheyWereWritten() throws IOException {
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file())) {
      metrics.on(Steps.clean(1, 0.1 + 0.2, 3.5));
      metrics.on(Steps.overflow(2, Double.NaN, 4));
      assertTrue(metrics.force() > 0);
    }
    List<TrainEvent.StepTaken> steps = Steps.in(file());
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
    List<TrainEvent.StepTaken> steps = Steps.in(file());
    assertEquals(List.of(2.5, 1.5), steps.stream().map(step -> step.result().loss()).toList());
  }

  /** The length is what a checkpoint says, which may be from elsewhere. */
  @Test
  void aLengthBehindTheEndOfTheFileIsRefused() throws IOException {
    Files.writeString(file(), "{}");
    for (long length : new long[] {3, Integer.MAX_VALUE, 999_999_999_999L}) {
      DataException refused =
          assertThrows(
              DataException.class, () -> MetricsBytes.open(Disk.local(), file(), length).close());
      assertEquals("at least " + length + " bytes", refused.problem().expected());
      assertEquals("2 bytes", refused.problem().got());
    }
    try (MetricsBytes bytes = MetricsBytes.open(Disk.local(), file(), 2)) {
      assertEquals(2, bytes.readAllBytes().length);
    }
  }

  @Test
  void onlyTheFirstBytesAreReadOneByOneOrTogether() throws IOException {
    Files.writeString(file(), "abcd");
    try (MetricsBytes bytes = MetricsBytes.open(Disk.local(), file(), 3)) {
      assertEquals('a', bytes.read());
      assertEquals("bc", new String(bytes.readAllBytes(), StandardCharsets.UTF_8));
      assertEquals(-1, bytes.read());
    }
  }

  @Test
  void noBytesAreReadWithoutAFile() {
    try (MetricsBytes bytes = MetricsBytes.open(Disk.local(), file(), 0)) {
      assertEquals(-1, bytes.read());
    }
    DataException refused =
        assertThrows(DataException.class, () -> MetricsBytes.open(Disk.local(), file(), 1).close());
    assertEquals("a file that can be read", refused.problem().expected());
  }

  @Test
  void aFileThatIsCutWhileItIsReadIsRefused() throws IOException {
    Files.writeString(file(), "{}");
    try (MetricsBytes bytes = MetricsBytes.open(Disk.local(), file(), 2)) {
      Files.writeString(file(), "{");
      DataException refused = assertThrows(DataException.class, bytes::readAllBytes);
      assertEquals("at least 2 bytes", refused.problem().expected());
      assertEquals("1 bytes", refused.problem().got());
    }
  }

  @Test
  void whatIsNoLineOfAStepIsRefused() throws IOException {
    assertEquals("a JSON object on each line", refused("{\"step\":1").problem().expected());
    assertTrue(refused("{\"step\":1}").problem().expected().startsWith("a number under "));
  }

  /** Those of a long run do not fit in the heap. */
  @Test
  void stepsAreToldWhileTheFileIsRead() {
    long length = write(MANY);
    CountingDisk disk = new CountingDisk();
    List<Long> read = new ArrayList<>();
    MetricsRows.read(disk, file(), length, _ -> read.add(disk.read()));
    assertEquals(MANY, read.size());
    assertTrue(read.getFirst() <= BLOCK, read.getFirst() + " bytes before the first step");
    assertTrue(read.getLast() > length - BLOCK, read.getLast() + " of " + length + " bytes");
  }

  @Test
  void whatIsKeptIsCopiedInBlocks() throws IOException {
    long length = write(MANY);
    String all = Files.readString(file());
    CountingDisk disk = new CountingDisk();
    MetricsFile.goOn(disk, file(), length).close();
    assertTrue(disk.largest() <= BLOCK, disk.largest() + " bytes at once");
    assertEquals(all, Files.readString(file()));
  }
}
