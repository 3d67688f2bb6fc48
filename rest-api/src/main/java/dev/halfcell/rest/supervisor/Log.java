package dev.halfcell.rest.supervisor;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** What operators of a server are told of its workers. */
final class Log {
  private static final Logger LOGGER = System.getLogger("dev.halfcell.rest.workers");

  private Log() {}

  static void info(String message) {
    LOGGER.log(Level.INFO, message);
  }

  static void warning(String message) {
    LOGGER.log(Level.WARNING, message);
  }

  static void warning(String message, Throwable why) {
    LOGGER.log(Level.WARNING, message, why);
  }
}
