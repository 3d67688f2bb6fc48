package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An array of unsigned bytes from a file in the IDX format, plain or packed by gzip.
 *
 * <p>Format, numbers big-endian: two zero bytes, the element type (0x08: unsigned byte), the number
 * of axes, the size of each axis in 4 bytes, the elements with the last axis fastest, nothing more.
 *
 * <p>Source: LeCun, Cortes, Burges, "The MNIST database", section "File formats".
 *
 * @param sizes the size of each axis, outermost first, each at least 1
 * @param elements all elements
 */
record IdxFile(List<Integer> sizes, byte[] elements) {
  /** The most bytes that a file may have once unpacked. */
  static final int LARGEST = 1 << 28;

  private static final int UNSIGNED_BYTES = 0x08 << 8;
  private static final String AGAIN = "Get the file again.";

  /**
   * Reads the bytes of a file, which has to hold an array with so many axes. Nothing is allocated
   * by what its header claims: the header has to fit the bytes that are there.
   *
   * @param where the file lies, for messages
   */
  static IdxFile parse(byte[] file, String where, int axes) {
    byte[] content = Gzip.isGzip(file) ? Gzip.unpack(file, where, LARGEST) : file;
    int headerBytes = 4 + 4 * axes;
    requireMagic(content, where, axes);
    require(content.length >= headerBytes, where, "a header of " + headerBytes + " bytes", content);
    ByteBuffer header = ByteBuffer.wrap(content).position(4);
    List<Long> sizes =
        IntStream.range(0, axes).mapToObj(_ -> Integer.toUnsignedLong(header.getInt())).toList();
    long elements = elements(sizes, where);
    require(
        content.length == headerBytes + elements,
        where,
        headerBytes + elements + " bytes, header and elements of an array " + sizes,
        content);
    return new IdxFile(
        sizes.stream().map(Math::toIntExact).toList(),
        Arrays.copyOfRange(content, headerBytes, content.length));
  }

  private static void requireMagic(byte[] content, String where, int axes) {
    require(content.length >= 4, where, "a magic number of 4 bytes", content);
    int expected = UNSIGNED_BYTES | axes;
    int magic = ByteBuffer.wrap(content).getInt();
    if (magic != expected) {
      throw error(
          where,
          "magic number %08x (unsigned bytes, %d axes)".formatted(expected, axes),
          "%08x (%s)".formatted(magic, describe(magic)),
          "Put the file in place that its name promises.");
    }
  }

  private static String describe(int magic) {
    if (magic >>> 16 != 0) {
      return "no IDX file";
    }
    String type =
        switch (magic >>> 8) {
          case 0x08 -> "unsigned bytes";
          case 0x09 -> "signed bytes";
          case 0x0B -> "16-bit integers";
          case 0x0C -> "32-bit integers";
          case 0x0D -> "floats";
          case 0x0E -> "doubles";
          default -> "elements of an unknown type";
        };
    return type + ", " + (magic & 0xFF) + " axes";
  }

  private static long elements(List<Long> sizes, String where) {
    try {
      long elements = sizes.stream().reduce(1L, Math::multiplyExact);
      if (elements >= 1 && elements <= LARGEST) {
        return elements;
      }
    } catch (ArithmeticException _) {
      // Said below: more than a long can count is more than may be.
    }
    throw error(where, "an array of 1 to " + LARGEST + " elements", "one of " + sizes, AGAIN);
  }

  private static void require(boolean holds, String where, String expected, byte[] content) {
    if (!holds) {
      throw error(where, expected, content.length + " bytes", AGAIN);
    }
  }

  private static DataException error(String where, String expected, String got, String fix) {
    return new DataException(new Problem("IDX file", where, expected, got, fix));
  }
}
