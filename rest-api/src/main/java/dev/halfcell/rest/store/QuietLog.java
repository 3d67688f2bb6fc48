package dev.halfcell.rest.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;

/**
 * Where Flyway, which makes one by its name, tells of its steps: what it calls information is
 * detail to who runs a server, and an error comes as an exception too.
 */
@SuppressWarnings("exports") // nobody but Flyway calls it
public final class QuietLog implements LogCreator {
  /** Made by Flyway. */
  public QuietLog() {}

  @Override
  public Log createLogger(Class<?> of) {
    return new ToPlatform(System.getLogger(of.getName()));
  }

  private record ToPlatform(Logger logger) implements Log {
    @Override
    public void debug(String message) {
      logger.log(Level.TRACE, message);
    }

    @Override
    public void info(String message) {
      logger.log(Level.DEBUG, message);
    }

    @Override
    public void notice(String message) {
      logger.log(Level.DEBUG, message);
    }

    @Override
    public void warn(String message) {
      logger.log(Level.WARNING, message);
    }

    @Override
    public void error(String message) {
      logger.log(Level.DEBUG, message);
    }

    @Override
    public void error(String message, Exception e) {
      logger.log(Level.DEBUG, message, e);
    }
  }
}
