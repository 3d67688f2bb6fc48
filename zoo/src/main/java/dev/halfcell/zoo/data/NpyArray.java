package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An array of numbers from a file that numpy has saved: FP32, FP64 or unsigned bytes, in either
 * order of bytes, with the last axis fastest.
 *
 * <p>Format: the magic number {@code \x93NUMPY}, the version in two bytes, the header's length in 2
 * bytes (version 1) or 4, little-endian, the header, which is a Python dictionary of {@code descr},
 * {@code fortran_order} and {@code shape}; then the elements and nothing more.
 *
 * <p>Source: NumPy, numpy.lib.format, "Format Version 1.0" to "Format Version 3.0".
 *
 * @param dtype what the elements are
 * @param sizes the size of each axis, outermost first, each at least 1
 * @param elements the elements in the file's order of bytes
 */
record NpyArray(Element dtype, List<Integer> sizes, ByteBuffer elements) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int MOST_AXES = 32;

  /** As numpy has it: matching a long one would take long. */
  private static final int LONGEST_HEADER = 10_000;

  // What numpy writes, and what its readers promise to take: these three keys in any order.
  private static final String ENTRY =
      "\\s*'(descr|fortran_order|shape)'\\s*:\\s*('[^']*'|True|False|\\([\\d,\\s]*\\))\\s*";
  private static final Pattern HEADER =
      Pattern.compile("\\{" + ENTRY + "," + ENTRY + "," + ENTRY + ",?\\s*}\\s*");

  /** What can be read. */
  enum Element {
    FP32(Float.BYTES),
    FP64(Double.BYTES),
    UINT8(1);

    private final int bytes;

    Element(int bytes) {
      this.bytes = bytes;
    }
  }

  /** Element {@code index} in flat order. */
  double at(int index) {
    return switch (dtype) {
      case FP32 -> elements.getFloat(index * Float.BYTES);
      case FP64 -> elements.getDouble(index * Double.BYTES);
      case UINT8 -> elements.get(index) & 0xFF;
    };
  }

  /**
   * Reads the bytes of a file. Nothing is allocated by what its header claims: the header has to
   * fit the bytes that are there.
   *
   * @param where the file lies, for messages
   */
  static NpyArray parse(byte[] file, String where) {
    int start = headerStart(file, where);
    int length = start == 10 ? little(file).getShort(8) & 0xFFFF : little(file).getInt(8);
    require(
        length >= 0 && length <= file.length - start,
        where,
        "a header of " + Integer.toUnsignedString(length) + " bytes",
        file.length - start + " bytes");
    require(
        length <= LONGEST_HEADER,
        where,
        "a header of at most " + LONGEST_HEADER + " bytes",
        length + " bytes");
    String header = new String(file, start, length, StandardCharsets.UTF_8);
    Matcher entries = HEADER.matcher(header);
    require(
        entries.matches(), where, "a header with descr, fortran_order and shape", shown(header));
    String order = entry(entries, "fortran_order", where);
    require(
        order.equals("False"),
        where,
        "elements in C order; numpy.ascontiguousarray makes it so",
        "fortran_order " + order);
    String descr = entry(entries, "descr", where);
    ByteBuffer elements =
        ByteBuffer.wrap(file, start + length, file.length - start - length)
            .slice()
            .order(descr.startsWith("'>") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    NpyArray array =
        new NpyArray(element(descr, where), sizes(entry(entries, "shape", where), where), elements);
    array.requireElements(where);
    return array;
  }

  private static ByteBuffer little(byte[] file) {
    return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int headerStart(byte[] file, String where) {
    boolean magic =
        file.length >= MAGIC.length && Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    require(magic, where, "a file that numpy.save wrote", "another");
    require(file.length >= 12, where, "a version and a header", file.length + " bytes");
    int version = file[6];
    require(version >= 1 && version <= 3, where, "version 1, 2 or 3", "version " + version);
    return version == 1 ? 10 : 12;
  }

  private static String entry(Matcher entries, String key, String where) {
    for (int group = 1; group < 6; group += 2) {
      if (key.equals(entries.group(group))) {
        return String.valueOf(entries.group(group + 1));
      }
    }
    throw error(where, "a header with " + key, "another key twice");
  }

  private static Element element(String descr, String where) {
    return switch (descr) {
      case "'<f4'", "'>f4'" -> Element.FP32;
      case "'<f8'", "'>f8'" -> Element.FP64;
      case "'|u1'", "'<u1'", "'>u1'" -> Element.UINT8;
      default -> throw error(where, "elements of float32, float64 or uint8", shown(descr));
    };
  }

  private static List<Integer> sizes(String shape, String where) {
    List<Integer> sizes = new ArrayList<>();
    for (String size : shape.replaceAll("[()\\s]", "").split(",")) {
      boolean sensible = size.matches("[1-9]\\d{0,8}") && sizes.size() < MOST_AXES;
      require(sensible, where, "a shape of sizes from 1 to 999999999", shown(shape));
      sizes.add(Integer.parseInt(size));
    }
    return List.copyOf(sizes);
  }

  private void requireElements(String where) {
    long most = elements.capacity();
    long count = 1;
    for (int size : sizes) {
      count =
          Math.min(count * size, most + 1); // beyond what is there it does not matter by how much
    }
    require(
        count * dtype.bytes == most,
        where,
        "the elements of an array " + sizes + " of " + dtype,
        most + " bytes of elements");
  }

  private static String shown(String text) {
    String printable = text.strip().replaceAll("[^\\x20-\\x7e]", "?");
    if (printable.isEmpty()) {
      return "nothing";
    }
    return printable.length() <= 80 ? printable : printable.substring(0, 80) + "...";
  }

  private static void require(boolean holds, String where, String expected, String got) {
    if (!holds) {
      throw error(where, expected, got);
    }
  }

  private static DataException error(String where, String expected, String got) {
    return new DataException(
        new Problem(
            "NPY file",
            where,
            expected,
            got,
            "Save numbers by numpy.save(file, array.astype('float32'))."));
  }
}
