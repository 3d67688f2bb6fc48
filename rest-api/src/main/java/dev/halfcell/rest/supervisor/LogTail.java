package dev.halfcell.rest.supervisor;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The end of a worker's log, for people. */
final class LogTail {
  private static final int MOST = 4096;

  private LogTail() {}

  /** The last lines of a file, whole ones where there are any; without control characters. */
  static String of(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - MOST);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      String text = plain(bytes);
      return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
    } catch (IOException e) {
      return "The log cannot be read: " + e.getClass().getSimpleName();
    }
  }

  /** A text for people. */
  static String plain(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "").strip();
  }
}
