package dev.halfcell.zoo.host;

import java.util.OptionalLong;

/** Numbers of bytes as people write them: {@code 512M}, {@code 6GiB}. Units are powers of 1024. */
public final class ByteCount {
  /** What there is, in words. */
  public static final String EXPECTED =
      "a number of bytes of at least 1, or one with K, M, G or T (KiB, MiB, ...), as 6G";

  /** No more digits than count bytes in 63 bits, with any unit. */
  public static final String PATTERN =
      "[1-9]([0-9]{0,14}K|[0-9]{0,11}M|[0-9]{0,8}G|[0-9]{0,5}T)(iB)?";

  private static final String UNITS = "KMGT";

  private ByteCount() {}

  /** How many bytes a number with a unit is; none where the text is none such. */
  public static OptionalLong of(String text) {
    if (!text.matches(PATTERN)) {
      return OptionalLong.empty();
    }
    String number = text.endsWith("iB") ? text.substring(0, text.length() - 2) : text;
    int last = number.length() - 1;
    int unit = UNITS.indexOf(number.charAt(last)) + 1;
    return OptionalLong.of(Long.parseLong(number.substring(0, last)) << 10 * unit);
  }
}
