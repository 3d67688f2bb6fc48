package dev.halfcell.rest.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lets others have the processors first. A worker is started niced; but it is in a session of its
 * own, and Linux weighs sessions against each other as if none was niced (sched(7), "The autogroup
 * feature"), unless the session itself is.
 */
final class Courtesy {
  private static final Path AUTOGROUP = Path.of("/proc/self/autogroup");
  private static final String NICE = "10";

  private Courtesy() {}

  /** Nices the session of this process, where the system weighs sessions. */
  static void show() {
    if (!Files.exists(AUTOGROUP)) {
      return;
    }
    try {
      Files.writeString(AUTOGROUP, NICE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      JobLog.warning("the worker's session cannot be niced; a busy server may answer slowly", e);
    }
  }
}
