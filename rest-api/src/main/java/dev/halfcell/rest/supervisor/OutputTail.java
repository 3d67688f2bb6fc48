package dev.halfcell.rest.supervisor;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The last that a process printed. It is read as it comes: nobody who prints has to wait. */
final class OutputTail {
  private static final int MOST = 4096;
  private static final int CHUNK = 1024;

  private byte[] last = {};

  private OutputTail() {}

  /** That of a process, which it reads until its end. */
  static OutputTail of(Process process) {
    OutputTail tail = new OutputTail();
    Thread.ofVirtual()
        .name("halfcell-prediction-output")
        .start(() -> tail.read(process.getInputStream()));
    return tail;
  }

  private void read(InputStream from) {
    try (from) {
      byte[] chunk = new byte[CHUNK];
      for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
        add(chunk, count);
      }
    } catch (IOException _) {
      // It was killed, and its pipe closed: there is no more of it.
    }
  }

  private synchronized void add(byte[] more, int count) {
    byte[] all = Arrays.copyOf(last, last.length + count);
    System.arraycopy(more, 0, all, last.length, count);
    last = Arrays.copyOfRange(all, Math.max(0, all.length - MOST), all.length);
  }

  /** What has been read by now, without control characters. */
  synchronized String text() {
    return LogTail.plain(last);
  }
}
