package dev.halfcell.zoo.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DataException;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
    try (TensorBoardLog log = new TensorBoardLog(folder, CLOCK)) {
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

  /** Bit by bit after the definition of CRC-32C (RFC 3720, appendix B.4), without a table. */
  private static int checksum(byte[] bytes) {
    int crc = ~0;
    for (byte next : bytes) {
      crc ^= next & 0xFF;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ 0x82F63B78;
      }
    }
    int plain = ~crc;
    return ((plain >>> 15) | (plain << 17)) + 0xA282EAD8;
  }

  /** Reads records, demanding that lengths and checksums are right to the end of the file. */
  private static List<byte[]> records(Path file) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<byte[]> records = new ArrayList<>();
    while (in.hasRemaining()) {
      byte[] length = new byte[8];
      in.get(length);
      assertEquals(checksum(length), in.getInt());
      byte[] record =
          new byte[Math.toIntExact(ByteBuffer.wrap(length).order(in.order()).getLong())];
      in.get(record);
      assertEquals(checksum(record), in.getInt());
      records.add(record);
    }
    return records;
  }

  @Test
  void theChecksumIsTheOneOfTheStandard() {
    byte[] known = "123456789".getBytes(StandardCharsets.US_ASCII);
    int masked = ((0xE3069283 >>> 15) | (0xE3069283 << 17)) + 0xA282EAD8;
    assertEquals(masked, checksum(known));
    assertEquals(masked, RecordFile.masked(known));
  }

  @Test
  void everyRecordHasItsLengthAndItsMaskedChecksums() throws IOException {
    assertEquals(4, records(file()).size());
  }

  /** A message as text: field numbers in order, nested ones in braces. */
  private static String text(byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    StringBuilder text = new StringBuilder();
    while (in.hasRemaining()) {
      int key = in.get();
      text.append(key >> 3).append(':');
      switch (key & 7) {
        case 0 -> text.append(in.get());
        case 1 -> text.append(in.getDouble());
        case 5 -> text.append(in.getFloat());
        default -> text.append(bytes(in, key >> 3));
      }
      text.append(' ');
    }
    return text.toString().strip();
  }

  private static String bytes(ByteBuffer in, int field) {
    int low = in.get();
    int length = low < 0 ? (low & 0x7F) | in.get() << 7 : low;
    byte[] bytes = new byte[length];
    in.get(bytes);
    boolean message = field == 5 || field == 1 && bytes[0] == 0x0A;
    return message ? "{" + text(bytes) + "}" : new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void stepsAndEpochsAreScalarsUnderTheirTags() throws IOException {
    List<String> events = records(file()).stream().map(TensorBoardLogTest::text).toList();
    assertEquals("1:1.5 3:brain.Event:2", events.get(0));
    assertEquals(
        "1:1.5 2:1 5:{1:{1:train/loss 2:2.5} 1:{1:train/loss_scale 2:8.0}"
            + " 1:{1:train/learning_rate 2:0.25} 1:{1:train/gradient_norm 2:3.0}"
            + " 1:{1:train/overflow 2:0.0}}",
        events.get(1));
    assertTrue(events.get(2).contains("{1:train/loss 2:NaN}"), events.get(2));
    assertTrue(events.get(2).contains("{1:train/overflow 2:1.0}"), events.get(2));
    assertEquals("1:1.5 2:2 5:{1:{1:epoch/mean_loss 2:2.5}}", events.get(3));
  }

  /** Debian's protobuf-compiler, which .ci/run installs. */
  @Test
  void protocDecodesEveryRecord() throws IOException, InterruptedException {
    Path protoc = Path.of("/usr/bin/protoc");
    Assumptions.assumeTrue(Files.isExecutable(protoc), "protoc is not installed");
    for (byte[] record : records(file())) {
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
  void aSecondLogOfTheFolderGetsTheNextFile() throws IOException {
    byte[] before = Files.readAllBytes(file());
    try (TensorBoardLog log = new TensorBoardLog(folder, CLOCK)) {
      log.on(step(3, new StepResult(2, false, 8, 8, true, 3)));
    }
    assertEquals(2, records(folder.resolve("events.out.tfevents.0002.halfcell")).size());
    assertEquals(before.length, Files.size(file()));
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Path missing = folder.resolve("missing");
    DataException refused =
        assertThrows(DataException.class, () -> new TensorBoardLog(missing, CLOCK));
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
