package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.service.JobLog;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The end of a worker's log, for people. */
final class LogTail {
  private static final int MOST = 4096;

  private LogTail() {}

  /** The last lines of a log, whole ones where there are any. */
  static String of(JobLog log) {
    try {
      long length = log.length();
      long from = Math.max(0, length - MOST);
      StringBuilder text = new StringBuilder();
      JobLog.Block block = log.read(from, length);
      for (; block.bytes().length > 0; block = log.read(block.end(), length)) {
        text.append(new String(block.bytes(), StandardCharsets.UTF_8));
      }
      String lines = from == 0 ? text.toString() : text.substring(text.indexOf("\n") + 1);
      return lines.strip();
    } catch (UncheckedIOException _) {
      return "The log cannot be read.";
    }
  }

  /** A text for people. */
  static String plain(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "").strip();
  }
}
