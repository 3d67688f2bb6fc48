package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DataException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IdxFileTest {
  private static final byte[] RIGHT = IdxBytes.of(0x803, new int[] {2, 1, 3}, bytes(1, 2, 3, -1));

  private static byte[] bytes(int... values) {
    byte[] six = new byte[6];
    for (int i = 0; i < values.length; i++) {
      six[i] = (byte) values[i];
    }
    return six;
  }

  @Test
  void readsPlainAndPackedFilesAlike() throws IOException {
    for (byte[] file : List.of(RIGHT, IdxBytes.gzip(RIGHT))) {
      IdxFile read = IdxFile.read(new ByteArrayInputStream(file), "f", 3);
      assertEquals(List.of(2, 1, 3), read.sizes());
      assertArrayEquals(bytes(1, 2, 3, -1), all(read.elements()));
    }
  }

  private static byte[] all(NativeBytes bytes) {
    byte[] all = new byte[(int) bytes.size()];
    bytes.copy(0, all);
    return all;
  }

  /** A member may begin and end anywhere in what is read at a time, and so may what is behind. */
  @Test
  void readsFilesOfSeveralGzipMembersInPiecesOfAnySize() throws IOException {
    byte[] front = IdxBytes.gzip(Arrays.copyOf(RIGHT, 7));
    byte[] back = IdxBytes.gzip(Arrays.copyOfRange(RIGHT, 7, RIGHT.length));
    byte[] file = join(front, back);
    for (int piece = 1; piece <= file.length; piece++) {
      IdxFile read = IdxFile.read(new Pieces(file, piece), "f", 3);
      assertArrayEquals(bytes(1, 2, 3, -1), all(read.elements()), "pieces of " + piece);
      for (int behind : new int[] {1, 2, 9, 10, 11, 40}) {
        InputStream longer = new Pieces(join(file, new byte[behind]), piece);
        DataException thrown =
            assertThrows(DataException.class, () -> IdxFile.read(longer, "f", 3));
        assertEquals(behind + " bytes behind the gzip data", thrown.problem().got());
      }
    }
  }

  /** Gives no more than so many bytes at a time, as the system may. */
  private static final class Pieces extends ByteArrayInputStream {
    private final int most;

    Pieces(byte[] file, int most) {
      super(file);
      this.most = most;
    }

    @Override
    public int read(byte[] to, int from, int length) {
      return super.read(to, from, Math.min(most, length));
    }

    @Override
    public int available() {
      return 0;
    }
  }

  /** With another checksum, at the end: whatever is wrong inside may come of it. */
  private static byte[] damaged(byte[] packed) {
    byte[] damaged = packed.clone();
    damaged[packed.length - 6] ^= 1;
    return damaged;
  }

  static Stream<Arguments> wrong() {
    byte[] packed = IdxBytes.gzip(RIGHT);
    int most = Integer.MAX_VALUE;
    return Stream.of(
        Arguments.of(new byte[0], "4 bytes", "0 bytes"),
        Arguments.of(new byte[3], "4 bytes", "3 bytes"),
        Arguments.of("PNG image".getBytes(StandardCharsets.US_ASCII), "00000803", "no IDX file"),
        Arguments.of(IdxBytes.labels(1, 2), "00000803", "unsigned bytes, 1 axes"),
        Arguments.of(IdxBytes.of(0xD03, new int[] {1, 1, 1}, bytes()), "00000803", "floats"),
        Arguments.of(IdxBytes.of(0x703, new int[] {1, 1, 1}, bytes()), "00000803", "unknown type"),
        Arguments.of(Arrays.copyOf(RIGHT, 10), "a header of 16 bytes", "10 bytes"),
        Arguments.of(Arrays.copyOf(RIGHT, 21), "22 bytes", "21 bytes"),
        Arguments.of(Arrays.copyOf(RIGHT, 23), "22 bytes", "23 bytes"),
        Arguments.of(IdxBytes.of(0x803, new int[] {0, 28, 28}), "1 to", "[0, 28, 28]"),
        Arguments.of(IdxBytes.of(0x803, new int[] {-1, 1, 1}), "1 to", "[4294967295, 1, 1]"),
        Arguments.of(IdxBytes.of(0x803, new int[] {most, most, most}), "1 to", "2147483647"),
        // 2^64 + 4 elements, which are 4 to one who does not look.
        Arguments.of(
            IdxBytes.of(0x803, new int[] {769546, 494770, 48448661}, new byte[4]),
            "1 to",
            "769546"),
        Arguments.of(IdxBytes.of(0x803, new int[] {1 << 28, 1, 1}), "268435472 bytes", "16 bytes"),
        Arguments.of(Arrays.copyOf(packed, packed.length - 9), "a whole gzip", "truncated"),
        Arguments.of(Arrays.copyOf(packed, 2), "a whole gzip", "truncated"),
        Arguments.of(damaged(packed), "a whole gzip", "damaged"),
        Arguments.of(damaged(IdxBytes.gzip(IdxBytes.labels(1))), "a whole gzip", "damaged"),
        Arguments.of(join(packed, new byte[1]), "end of the file", "1 bytes behind"),
        Arguments.of(join(packed, new byte[99]), "end of the file", "99 bytes behind"),
        Arguments.of(IdxBytes.gzip(Arrays.copyOf(RIGHT, 21)), "22 bytes", "21 bytes"),
        Arguments.of(IdxBytes.gzip(Arrays.copyOf(RIGHT, 23)), "22 bytes", "23 bytes"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void namesFileExpectedAndGot(byte[] file, String expected, String got) {
    DataException thrown =
        assertThrows(
            DataException.class, () -> IdxFile.read(new ByteArrayInputStream(file), "the file", 3));
    assertEquals("the file", thrown.problem().where());
    assertTrue(thrown.problem().expected().contains(expected), thrown.getMessage());
    assertTrue(thrown.problem().got().contains(got), thrown.getMessage());
    assertTrue(!thrown.problem().fix().isEmpty(), thrown.getMessage());
  }

  @Test
  void unpacksNoMoreThanTheLimit() throws IOException {
    byte[] zeros = IdxBytes.gzip(new byte[1001]);
    assertEquals(1001, unpacked(zeros, 1001));
    DataException thrown = assertThrows(DataException.class, () -> unpacked(zeros, 1000));
    assertEquals("at most 1000 bytes unpacked", thrown.problem().expected());
  }

  private static int unpacked(byte[] file, int limit) throws IOException {
    return Gzip.content(new ByteArrayInputStream(file), "f", limit).readAllBytes().length;
  }

  private static byte[] join(byte[] front, byte[] back) {
    byte[] joined = Arrays.copyOf(front, front.length + back.length);
    System.arraycopy(back, 0, joined, front.length, back.length);
    return joined;
  }
}
