package dev.halfcell.data;

import dev.halfcell.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The CRC-32C of a safetensors file, as eight digits each under {@value #KEY} in its metadata:
 * first the header's with the eight bytes before it, whose own digits count as zeros, then that of
 * each tensor. Together they cover every bit of the file, and a CRC finds each single one that
 * changed.
 *
 * @param words the digits
 */
record Checksums(List<String> words) {
  static final String KEY = "crc32c";
  private static final byte[] FIELD = ("\"" + KEY + "\":\"").getBytes(StandardCharsets.US_ASCII);
  private static final String UNKNOWN = "00000000";
  private static final long CHUNK = 1 << 28;

  Checksums {
    words = List.copyOf(words);
  }

  /** What metadata holds of these tensors before the header is known. */
  static String before(Iterable<Tensor> tensors) {
    StringBuilder words = new StringBuilder(UNKNOWN);
    tensors.forEach(tensor -> words.append(' ').append(of(tensor.data())));
    return words.toString();
  }

  static Checksums parse(String metadata) {
    return new Checksums(Arrays.asList(metadata.split(" ", -1)));
  }

  /** Puts a header's own into it. */
  static void seal(byte[] header) {
    byte[] word = ofHeader(header).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(word, 0, header, own(header), word.length);
  }

  /** Refuses a header whose own is another, or that has another number of tensors. */
  void requireHeader(byte[] header, int tensors, SafeTensors.Refusal refusal) {
    refusal.unless(
        words.size() == 1 + tensors,
        "a checksum of the header and of each of " + tensors + " tensors",
        words.size() + " checksums");
    refusal.unless(
        own(header) >= 0, "checksums under " + KEY, "a header that spells " + KEY + " otherwise");
    require("the header", words.getFirst(), ofHeader(header), refusal);
  }

  /** Refuses a tensor whose checksum is another. */
  void requireTensor(int index, String name, MemorySegment data, SafeTensors.Refusal refusal) {
    require(name, words.get(1 + index), of(data), refusal);
  }

  private static void require(
      String what, String written, String found, SafeTensors.Refusal refusal) {
    refusal.unless(
        written.equals(found), "checksum " + written + " of " + what, found + ": it is damaged");
  }

  /**
   * Where a header has the digits of its own; -1 where it has none. The bytes of {@link #FIELD}
   * stand nowhere else: within a string a quote is escaped, and the key of a tensor has an object.
   */
  private static int own(byte[] header) {
    int last = header.length - FIELD.length - UNKNOWN.length();
    for (int at = 0; at <= last; at++) {
      if (Arrays.equals(header, at, at + FIELD.length, FIELD, 0, FIELD.length)) {
        return at + FIELD.length;
      }
    }
    return -1;
  }

  private static String ofHeader(byte[] header) {
    byte[] bytes = header.clone();
    Arrays.fill(bytes, own(header), own(header) + UNKNOWN.length(), (byte) '0');
    MemorySegment length = MemorySegment.ofArray(new byte[Long.BYTES]);
    length.set(SafeTensorsReader.LENGTH, 0, header.length);
    return of(length, MemorySegment.ofArray(bytes));
  }

  private static String of(MemorySegment... parts) {
    CRC32C sum = new CRC32C();
    for (MemorySegment part : parts) {
      for (long done = 0; done < part.byteSize(); done += CHUNK) {
        sum.update(part.asSlice(done, Math.min(CHUNK, part.byteSize() - done)).asByteBuffer());
      }
    }
    return HexFormat.of().toHexDigits(sum.getValue(), UNKNOWN.length());
  }
}
