package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
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
 * @param elements all elements, outside the heap
 */
record IdxFile(List<Integer> sizes, NativeBytes elements) {
  /** The most bytes that a file may have once unpacked. */
  static final int LARGEST = 1 << 28;

  private static final int UNSIGNED_BYTES = 0x08 << 8;
  private static final String AGAIN = "Get the file again.";

  /**
   * Reads a file, which has to hold an array with so many axes. Nothing is allocated by what its
   * header claims: memory is taken as bytes come.
   *
   * @param where the file lies, for messages
   */
  static IdxFile read(InputStream file, String where, int axes) throws IOException {
    try (InputStream content = Gzip.content(file, where, LARGEST)) {
      byte[] header = content.readNBytes(4 + 4 * axes);
      List<Long> sizes = sizes(header, content, where, axes);
      long claimed = elements(sizes, where);
      NativeBytes elements = NativeBytes.read(content, claimed);
      long length = header.length + elements.size() + rest(content);
      require(
          length == header.length + claimed,
          where,
          header.length + claimed + " bytes, header and elements of an array " + sizes,
          length);
      return new IdxFile(sizes.stream().map(Math::toIntExact).toList(), elements);
    }
  }

  /** What a header says; of a damaged gzip file the damage is told, and not what comes of it. */
  private static List<Long> sizes(byte[] header, InputStream behind, String where, int axes)
      throws IOException {
    try {
      requireMagic(header, where, axes);
      int whole = 4 + 4 * axes;
      require(header.length == whole, where, "a header of " + whole + " bytes", header.length);
      ByteBuffer numbers = ByteBuffer.wrap(header).position(4);
      List<Long> sizes =
          IntStream.range(0, axes).mapToObj(_ -> Integer.toUnsignedLong(numbers.getInt())).toList();
      var _ = elements(sizes, where);
      return sizes;
    } catch (DataException wrong) {
      var _ = rest(behind);
      throw wrong;
    }
  }

  /** How many bytes are left. */
  private static long rest(InputStream content) throws IOException {
    return content.transferTo(OutputStream.nullOutputStream());
  }

  private static void requireMagic(byte[] header, String where, int axes) {
    require(header.length >= 4, where, "a magic number of 4 bytes", header.length);
    int expected = UNSIGNED_BYTES | axes;
    int magic = ByteBuffer.wrap(header).getInt();
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

  private static void require(boolean holds, String where, String expected, long length) {
    if (!holds) {
      throw error(where, expected, length + " bytes", AGAIN);
    }
  }

  private static DataException error(String where, String expected, String got, String fix) {
    return new DataException(new Problem("IDX file", where, expected, got, fix));
  }
}
