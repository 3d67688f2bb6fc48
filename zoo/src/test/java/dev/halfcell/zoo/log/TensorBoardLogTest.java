package dev.halfcell.zoo.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.testkit.disk.CrashDisk;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorBoardLogTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_500));

  @TempDir private Path folder;

  @BeforeEach
  void write() {
    try (TensorBoardLog log = new TensorBoardLog(Disk.local(), folder, 0, CLOCK)) {
      log.on(new TrainEvent.EpochStarted(1, 1, 2));
      log.on(step(1, new StepResult(2.5, false, 8, 8, true, 3)));
      log.on(step(2, new StepResult(Double.NaN, true, 8, 4, false, Double.POSITIVE_INFINITY)));
      log.on(new TrainEvent.EpochEnded(1, 2.5, 20, 1, 0.1));
    }
  }

  private static TrainEvent.StepTaken step(long step, StepResult result) {
    return new TrainEvent.StepTaken(step, 1, 10, result, 0.25, 4, 1);
  }

  private Path file() {
    return folder.resolve("events.out.tfevents.0001.halfcell");
  }

  @Test
  void theChecksumIsTheOneOfTheStandard() {
    byte[] known = "123456789".getBytes(StandardCharsets.US_ASCII);
    int masked = ((0xE3069283 >>> 15) | (0xE3069283 << 17)) + 0xA282EAD8;
    assertEquals(masked, BoardReader.checksum(known));
    assertEquals(masked, RecordFrame.masked(known));
  }

  @Test
  void everyRecordHasItsLengthAndItsMaskedChecksums() throws IOException {
    assertEquals(5, BoardReader.records(file()).size());
  }

  @Test
  void stepsAndEpochsAreScalarsUnderTheirTags() throws IOException {
    List<String> events = BoardReader.records(file()).stream().map(BoardReader::text).toList();
    assertEquals("1:1.5 3:brain.Event:2", events.get(0));
    assertEquals("1:1.5 2:1 7:{1:1}", events.get(1));
    assertEquals(
        "1:1.5 2:1 5:{1:{1:train/loss 2:2.5} 1:{1:train/loss_scale 2:8.0}"
            + " 1:{1:train/learning_rate 2:0.25} 1:{1:train/gradient_norm 2:3.0}"
            + " 1:{1:train/overflow 2:0.0} 1:{1:train/skipped 2:0.0}"
            + " 1:{1:train/samples_per_second 2:2500.0} 1:{1:train/data_wait_ms 2:1.0}}",
        events.get(2));
    assertTrue(events.get(3).contains("{1:train/loss 2:NaN}"), events.get(3));
    assertTrue(events.get(3).contains("{1:train/overflow 2:1.0}"), events.get(3));
    assertTrue(events.get(3).contains("{1:train/skipped 2:1.0}"), events.get(3));
    assertEquals(
        "1:1.5 2:2 5:{1:{1:epoch/mean_loss 2:2.5} 1:{1:epoch/skipped_steps 2:1.0}}", events.get(4));
  }

  /** Debian's protobuf-compiler, which .ci/run installs. */
  @Test
  void protocDecodesEveryRecord() throws IOException, InterruptedException {
    Path protoc = Path.of("/usr/bin/protoc");
    Assumptions.assumeTrue(Files.isExecutable(protoc), "protoc is not installed");
    for (byte[] record : BoardReader.records(file())) {
      Path message = Files.write(folder.resolve("message"), record);
      Process process =
          new ProcessBuilder(protoc.toString(), "--decode_raw")
              .redirectInput(message.toFile())
              .redirectErrorStream(true)
              .start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), text);
      assertTrue(text.contains("1: 0x3ff8000000000000"), text);
    }
  }

  @Test
  void aRunThatGoesOnGetsTheNextFileWhichSupersedesLaterSteps() throws IOException {
    byte[] before = Files.readAllBytes(file());
    try (TensorBoardLog log = new TensorBoardLog(Disk.local(), folder, 1, CLOCK)) {
      log.on(step(2, new StepResult(1.5, false, 8, 8, true, 3)));
      log.on(step(3, new StepResult(0.5, false, 8, 8, true, 3)));
      log.on(new TrainEvent.EpochEnded(1, 1.5, 30, 0, 0.1));
    }
    Path next = folder.resolve("events.out.tfevents.0002.halfcell");
    assertEquals("1:1.5 2:2 7:{1:1}", BoardReader.text(BoardReader.records(next).get(1)));
    assertEquals(before.length, Files.size(file()));
    Map<String, Map<Long, String>> drawn = BoardReader.drawn(folder);
    assertEquals(Map.of(1L, "2.5", 2L, "1.5", 3L, "0.5"), drawn.get("train/loss"));
    assertEquals(Map.of(3L, "1.5"), drawn.get("epoch/mean_loss"));
  }

  /** Of the disk that is written, not of the machine's. */
  @Test
  void theNumberIsTheNextInTheFolder() {
    CrashDisk disk = new CrashDisk();
    new TensorBoardLog(disk, folder, 0).close();
    new TensorBoardLog(disk, folder, 0).close();
    assertEquals(
        Set.of(file(), folder.resolve("events.out.tfevents.0002.halfcell")), disk.files().keySet());
  }

  @Test
  void whatWasToldIsInTheFileWhenForceReturns() throws IOException {
    try (TensorBoardLog log = new TensorBoardLog(Disk.local(), folder, 2, CLOCK)) {
      log.on(step(3, new StepResult(2, false, 8, 8, true, 3)));
      Path next = folder.resolve("events.out.tfevents.0002.halfcell");
      assertEquals(log.force(), Files.size(next));
      assertEquals(3, BoardReader.records(next).size());
    }
  }

  /** Bytes as the encoding's own guide has them, and numbers of more than one byte. */
  @Test
  void fieldsAreEncodedAsTheStandardSays() {
    byte[] guide = {0x08, (byte) 0x96, 0x01, 0x12, 0x07, 't', 'e', 's', 't', 'i', 'n', 'g'};
    assertArrayEquals(guide, new ProtoMessage().whole(1, 150).text(2, "testing").bytes());
    byte[] nested = {0x1a, 0x03, 0x08, (byte) 0x96, 0x01};
    assertArrayEquals(
        nested, new ProtoMessage().message(3, new ProtoMessage().whole(1, 150)).bytes());
    byte[] largest = new ProtoMessage().whole(2, Long.MAX_VALUE).bytes();
    assertEquals(10, largest.length);
    assertEquals("2:" + Long.MAX_VALUE, BoardReader.text(largest));
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Path missing = folder.resolve("missing");
    DataException refused =
        assertThrows(
            DataException.class, () -> new TensorBoardLog(Disk.local(), missing, 0, CLOCK));
    assertTrue(refused.problem().where().startsWith(missing.toString()));
  }

  @Test
  void aTableHasALineForEachStepAndNothingForWhatIsNotFinite() throws IOException {
    Path table = folder.resolve("steps.csv");
    try (CsvLog log = new CsvLog(table)) {
      log.on(new TrainEvent.EpochStarted(1, 1, 2));
      log.on(step(1, new StepResult(2.5, false, 8, 8, true, 3)));
      log.on(step(2, new StepResult(Double.NaN, true, 8, 4, false, 1)));
      log.on(new TrainEvent.EpochEnded(1, 2.5, 20, 1, 0.1));
      try (Stream<String> lines = Files.lines(table)) {
        assertEquals(
            List.of(
                "step,epoch,loss,scale,overflow,applied,lr,step_ms,data_wait_ms",
                "1,1,2.5,8.0,false,true,0.25,4.0,1.0",
                "2,1,,8.0,true,false,0.25,4.0,1.0"),
            lines.toList());
      }
    }
    assertThrows(DataException.class, () -> new CsvLog(folder));
  }
}
