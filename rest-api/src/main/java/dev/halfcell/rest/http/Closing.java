package dev.halfcell.rest.http;

import java.io.Closeable;
import java.io.IOException;

/** Closes what was only read. */
final class Closing {
  private static final System.Logger LOG = System.getLogger(Closing.class.getName());

  private Closing() {}

  static void quietly(Closeable file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a file that was read could not be closed", e);
    }
  }
}
