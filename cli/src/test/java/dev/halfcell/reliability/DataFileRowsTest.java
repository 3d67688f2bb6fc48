package dev.halfcell.reliability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.RunPlace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of data sets, and files in general, that are not what they should be. */
final class DataFileRowsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private IdxFolder data = new IdxFolder(Path.of(""));

  @BeforeEach
  void write() throws IOException {
    data = IdxFolder.of(folder);
    assertEquals(3, data.open().train().size());
  }

  private void refused(String name, byte[] content, String... parts) throws IOException {
    data.put(name, content);
    Refusal.of(data::open, parts);
  }

  private static byte[] swapped(byte[] file) {
    byte[] other = file.clone();
    ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).putInt(ByteBuffer.wrap(file).getInt());
    return other;
  }

  @Test
  @Row("F1")
  void aFileOfAnotherFormatIsNoIdxFile() throws IOException {
    byte[] right = IdxFolder.images(3);
    refused(IdxFolder.IMAGES, swapped(right), IdxFolder.IMAGES, "00000803", "no IDX file");
    for (int type : new int[] {0x00, 0x09, 0x0B, 0x0C, 0x0D, 0x0E, 0xFF}) {
      byte[] other = right.clone();
      other[2] = (byte) type;
      refused(IdxFolder.IMAGES, other, "magic number 00000803", "%02x03".formatted(type));
    }
    for (int axes : new int[] {0, 1, 2, 4, 255}) {
      byte[] other = right.clone();
      other[3] = (byte) axes;
      refused(IdxFolder.IMAGES, other, "magic number 00000803", axes + " axes");
    }
    refused(IdxFolder.IMAGES, IdxFolder.labels(1, 2, 3), "1 axes");
  }

  @Test
  @Row("F2")
  void aTruncatedFileIsRefusedWithItsLengths() throws IOException {
    byte[] right = IdxFolder.images(3);
    for (int length : new int[] {0, 1, 3, 4, 15, 16, 17, right.length - 784, right.length - 1}) {
      refused(IdxFolder.IMAGES, Arrays.copyOf(right, length), length + " bytes");
      refused(IdxFolder.IMAGES, IdxFolder.gzip(Arrays.copyOf(right, length)), length + " bytes");
    }
  }

  /** Of sizes too that no array has, whatever they multiply to. */
  @Test
  @Row("F2")
  void aHeaderThatClaimsMoreThanThereIsAllocatesNothing() throws IOException {
    int most = Integer.MAX_VALUE;
    for (int[] sizes :
        new int[][] {
          {most, 28, 28}, {-1, -1, -1}, {most, most, most}, {0, 28, 28}, {1 << 18, 28, 28}
        }) {
      refused(
          IdxFolder.IMAGES,
          IdxFolder.idx(0x803, sizes, new byte[784]),
          Integer.toUnsignedString(sizes[0]));
    }
  }

  @Test
  @Row("F4")
  void bytesBehindTheDataAreRefused() throws IOException {
    byte[] right = IdxFolder.images(3);
    for (int more : new int[] {1, 784, 100_000}) {
      byte[] longer = Arrays.copyOf(right, right.length + more);
      refused(IdxFolder.IMAGES, longer, right.length + " bytes", longer.length + " bytes");
    }
  }

  @Test
  @Row("F5")
  void asManyLabelsAsImages() throws IOException {
    refused(IdxFolder.LABELS, IdxFolder.labels(0, 9), "3 labels", "2 labels");
    refused(IdxFolder.LABELS, IdxFolder.labels(0, 9, 2, 1), "3 labels", "4 labels");
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 11, 127, 128, 255})
  @Row("F7")
  void aLabelOfNoClassIsRefusedWithItsIndex(int label) throws IOException {
    refused(IdxFolder.LABELS, IdxFolder.labels(0, 1, label), label + " as label 2", "0 to 9");
    refused(IdxFolder.LABELS, IdxFolder.labels(label, 1, 2), label + " as label 0", "0 to 9");
  }

  @Test
  @Row("F8")
  void aDamagedGzipFileIsRefusedByName() throws IOException {
    byte[] packed = IdxFolder.gzip(IdxFolder.images(3));
    for (int length : new int[] {2, 9, 10, 50, packed.length - 8, packed.length - 1}) {
      refused(IdxFolder.IMAGES, Arrays.copyOf(packed, length), IdxFolder.IMAGES, "gzip");
    }
    // Method, flags that are reserved, the middle, checksum and length.
    for (int at : new int[] {2, packed.length / 2, packed.length - 8, packed.length - 1}) {
      byte[] damaged = packed.clone();
      damaged[at] ^= 0x55;
      refused(IdxFolder.IMAGES, damaged, IdxFolder.IMAGES, "gzip");
    }
    refused(IdxFolder.IMAGES, Arrays.copyOf(packed, packed.length + 1), "behind the gzip data");
  }

  @Test
  @Row("F8")
  void aGzipFileOfTwoMembersIsReadWhole() throws IOException {
    byte[] right = IdxFolder.images(3);
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(IdxFolder.gzip(Arrays.copyOf(right, 1000)));
    both.write(IdxFolder.gzip(Arrays.copyOfRange(right, 1000, right.length)));
    data.put(IdxFolder.IMAGES, both.toByteArray());
    assertEquals(3, data.open().train().size());
  }

  @Test
  @Row("F10")
  void whetherAFileIsPackedIsTakenFromItsContent() throws IOException {
    data.put(IdxFolder.IMAGES, IdxFolder.gzip(IdxFolder.images(3)));
    assertEquals(3, data.open().train().size());
    data.put(IdxFolder.LABELS + ".gz", IdxFolder.labels(1, 1, 1));
    assertEquals(3, data.open().train().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {IdxFolder.IMAGES, IdxFolder.IMAGES + ".gz"})
  @Row("F11")
  void whatIsNoFileIsRefusedAndNeverWaitedFor(String name) throws Exception {
    data.take(IdxFolder.IMAGES);
    Path file = folder.resolve(name);
    Files.createDirectory(file);
    refusedInTime(file, "a folder");
    Files.createSymbolicLink(data.take(name), Path.of("/dev/zero"));
    refusedInTime(file, "something else");
    Files.createSymbolicLink(data.take(name), folder.resolve("nowhere"));
    refusedInTime(file, "a link to nothing");
    assertEquals(0, new ProcessBuilder("mkfifo", data.take(name).toString()).start().waitFor());
    refusedInTime(file, "something else");
    Files.createSymbolicLink(data.take(name), Path.of("/proc/self/mem"));
    assertTimeoutPreemptively(PATIENCE, () -> Refusal.of(data::open, file.toString()));
    Files.delete(file);
  }

  private void refusedInTime(Path file, String got) {
    assertTimeoutPreemptively(
        PATIENCE, () -> Refusal.of(data::open, file.toString(), "a file", got));
  }

  @Test
  @Row("F11")
  void otherFilesThatAreNoneAreRefusedToo() throws Exception {
    Path pipe = folder.resolve("pipe.json");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (Path file : new Path[] {pipe, folder, Path.of("/dev/zero"), folder.resolve("none")}) {
      assertTimeoutPreemptively(
          PATIENCE, () -> Refusal.of(() -> JobSpecification.read(file), file.toString()));
      assertTimeoutPreemptively(
          PATIENCE, () -> Refusal.of(() -> RunPlace.read(file), file.toString()));
    }
  }

  /** Whoever may read everything is not held to it. */
  @Test
  @Row("F11")
  void aFileThatMayNotBeReadIsNamed() throws IOException {
    Path file = folder.resolve(IdxFolder.IMAGES);
    Files.setPosixFilePermissions(file, Set.of());
    assumeFalse(Files.isReadable(file), "root may read it");
    Refusal.of(data::open, file.toString(), "a file that can be read");
  }
}
