package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NativeBytesTest {
  private static final int CHUNK = NativeBytes.CHUNK;

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static NativeBytes of(byte[] bytes) throws IOException {
    return NativeBytes.read(new ByteArrayInputStream(bytes), bytes.length);
  }

  private static byte[] copied(NativeBytes bytes, long from, int count) {
    byte[] copy = new byte[count];
    bytes.copy(from, copy);
    return copy;
  }

  @Test
  void holdsAsManyBytesAsThereAreOrAreWanted() throws IOException {
    byte[] file = random(2 * CHUNK + 3);
    for (int size : new int[] {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, file.length}) {
      NativeBytes wanted = NativeBytes.read(new ByteArrayInputStream(file), size);
      assertArrayEquals(Arrays.copyOf(file, size), copied(wanted, 0, (int) wanted.size()));
      byte[] cut = Arrays.copyOf(file, size);
      NativeBytes there = NativeBytes.read(new ByteArrayInputStream(cut), Long.MAX_VALUE);
      assertArrayEquals(cut, copied(there, 0, (int) there.size()));
    }
  }

  @Test
  void leavesInTheStreamWhatIsNotWanted() throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(random(CHUNK + 10));
    var _ = NativeBytes.read(in, CHUNK + 3);
    assertEquals(7, in.available());
  }

  @Test
  void copiesAndSumsAcrossChunks() throws IOException, NoSuchAlgorithmException {
    byte[] file = random(3 * CHUNK + 5);
    NativeBytes bytes = of(file);
    for (int[] part :
        new int[][] {
          {CHUNK - 3, 7}, {CHUNK - 1, CHUNK + 2}, {CHUNK, CHUNK}, {0, file.length}, {7, 0}
        }) {
      byte[] expected = Arrays.copyOfRange(file, part[0], part[0] + part[1]);
      assertArrayEquals(expected, copied(bytes, part[0], part[1]));
      MessageDigest sum = MessageDigest.getInstance("SHA-256");
      bytes.addTo(sum, part[0], part[1]);
      assertArrayEquals(MessageDigest.getInstance("SHA-256").digest(expected), sum.digest());
    }
    assertEquals(file[CHUNK] & 0xFF, bytes.at(CHUNK));
    assertEquals(file[file.length - 1] & 0xFF, bytes.at(file.length - 1));
  }

  @Test
  void givesNoBytesThatWereNotRead() throws IOException {
    NativeBytes bytes = NativeBytes.read(new ByteArrayInputStream(new byte[10]), 100);
    assertThrows(IndexOutOfBoundsException.class, () -> bytes.at(10));
    assertThrows(IndexOutOfBoundsException.class, () -> copied(bytes, 5, 6));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> bytes.addTo(MessageDigest.getInstance("SHA-256"), 0, 11));
  }
}
