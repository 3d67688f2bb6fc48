package dev.halfcell.rest.store;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Texts with a checksum before them: databases see to their pages and indexes, not to texts. */
final class Seal {
  private static final int DIGITS = 8;

  private Seal() {}

  /**
   * A text with its checksum.
   *
   * @param beside what lies in other columns and is checked with it
   */
  static String close(String text, Object... beside) {
    return checksum(text, beside) + text;
  }

  /** The text of a sealed one. */
  static String open(String sealed, String what, Object... beside) throws Damage {
    if (sealed.length() >= DIGITS) {
      String text = sealed.substring(DIGITS);
      if (sealed.startsWith(checksum(text, beside))) {
        return text;
      }
    }
    throw new Damage("the checksum of " + what + " is another");
  }

  private static String checksum(String text, Object... beside) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    for (Object value : beside) {
      crc.update('\n');
      crc.update(value.toString().getBytes(StandardCharsets.UTF_8));
    }
    return String.format("%08x", crc.getValue());
  }
}
