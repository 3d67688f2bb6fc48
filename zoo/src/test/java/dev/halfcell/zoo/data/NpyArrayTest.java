package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in the folder {@code npy} were written by numpy 2.4. */
final class NpyArrayTest {
  static byte[] file(String name) {
    try (InputStream in = NpyArrayTest.class.getResourceAsStream("npy/" + name + ".npy")) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }

  /** A file of version 1 with this header and so many bytes of elements. */
  static byte[] file(String header, int elements) {
    byte[] text = header.getBytes(StandardCharsets.US_ASCII);
    byte[] file = Arrays.copyOf(file("float32"), 10 + text.length + elements);
    file[8] = (byte) text.length;
    file[9] = (byte) (text.length >> 8);
    System.arraycopy(text, 0, file, 10, text.length);
    return file;
  }

  private static DataException refused(byte[] file, String part) {
    DataException e = assertThrows(DataException.class, () -> NpyArray.parse(file, "x.npy"));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("x.npy") && message.contains(part), message);
    return e;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "float32",
        "float64",
        "float32-big-endian",
        "float64-big-endian",
        "version2",
        "version3"
      })
  void numbersThatNumpyWroteAreReadInBothOrdersOfBytes(String name) {
    NpyArray array = NpyArray.parse(file(name), name);
    assertEquals(List.of(2, 3, 4), array.sizes());
    for (int i = 0; i < 24; i++) {
      assertEquals(i / 4.0, array.at(i));
    }
  }

  @Test
  void bytesAreUnsigned() {
    NpyArray array = NpyArray.parse(file("uint8"), "uint8");
    assertEquals(NpyArray.Element.UINT8, array.dtype());
    assertEquals(184, array.at(23));
  }

  @ParameterizedTest
  @CsvSource({
    "fortran,    ascontiguousarray",
    "int64,      <i8",
    "object,     |O",
    "structured, 'fortran_order and shape'",
    "scalar,     shape",
    "empty,      '(0, 3)'"
  })
  void otherArraysOfNumpyAreRefused(String name, String part) {
    var _ = refused(file(name), part);
  }

  @Test
  void everyTruncationIsRefusedAndSoIsMore() {
    byte[] whole = file("float32");
    for (int length = 0; length < whole.length; length++) {
      var _ = refused(Arrays.copyOf(whole, length), "expected");
    }
    var _ = refused(Arrays.copyOf(whole, whole.length + 1), "97 bytes of elements");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (999999999, 999999999, 999999999), }|bytes of elements",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999,), }|shape",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3), }|header",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), }|shape",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }|24 bytes of elements",
        "{'descr': '<f4', 'descr': '<f4', 'shape': (2, 3), }|fortran_order",
        "{'descr': '<f4', 'fortran_order': False, }|header",
        "{'descr': __import__('os'), 'fortran_order': False, 'shape': (2, 3), }|header",
        "|header"
      })
  void headersThatLieAreRefused(String header, String part) {
    var _ = refused(file(String.valueOf(header), 24), part);
  }

  @Test
  void keysMayStandInAnyOrder() {
    String header = "{'shape': (2,3),'fortran_order': False,'descr': '<f4'}\n";
    assertEquals(List.of(2, 3), NpyArray.parse(file(header, 24), "x").sizes());
  }

  @Test
  void anotherMagicNumberOrVersionIsRefused() {
    byte[] magic = file("float32");
    magic[0] = 'X';
    var _ = refused(magic, "numpy.save");
    byte[] version = file("float32");
    version[6] = 4;
    var _ = refused(version, "version 4");
    byte[] length = file("version2");
    length[11] = -1;
    var _ = refused(length, "a header of");
  }

  /** Whatever bytes there are: an array that fits them, or a sentence. */
  @Test
  void changedBytesNeverGiveAnythingButAnArrayOrARefusal() {
    Random random = new Random(1);
    byte[] whole = file("float32");
    for (int round = 0; round < 2_000; round++) {
      byte[] changed = whole.clone();
      for (int change = 0; change <= round % 4; change++) {
        changed[random.nextInt(128)] = (byte) random.nextInt(256);
      }
      try {
        NpyArray array = NpyArray.parse(changed, "x");
        int size = array.sizes().stream().reduce(1, (a, b) -> a * b);
        assertTrue(Double.isNaN(array.at(size - 1)) || array.at(size - 1) < 1e300);
      } catch (DataException e) {
        assertTrue(String.valueOf(e.getMessage()).startsWith("[NPY file]"), e.getMessage());
      }
    }
  }
}
