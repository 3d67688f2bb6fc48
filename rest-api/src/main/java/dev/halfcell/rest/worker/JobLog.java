package dev.halfcell.rest.worker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** What a worker writes into the log of its job: its standard error goes there. */
final class JobLog {
  private static final Logger LOGGER = System.getLogger("dev.halfcell.rest.worker");

  private JobLog() {}

  static void info(String line) {
    LOGGER.log(Level.INFO, line);
  }

  /** Something that the training goes on without. */
  static void warning(String line, Throwable why) {
    LOGGER.log(Level.WARNING, line, why);
  }

  /** Where in the code it was is for this log alone. */
  static void error(String line, Throwable why) {
    LOGGER.log(Level.ERROR, line, why);
  }
}
