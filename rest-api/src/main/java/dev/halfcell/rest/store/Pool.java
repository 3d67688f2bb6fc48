package dev.halfcell.rest.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Open connections, each used by one thread at a time. One with which something went wrong is
 * closed, and those that lie idle too: a database that was started anew has forgotten them all.
 */
final class Pool implements AutoCloseable {
  private static final int WAIT_SECONDS = 5;

  private final Source source;
  private final Semaphore room;
  private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /** Opens a connection. */
  @FunctionalInterface
  interface Source {
    Connection open() throws SQLException;
  }

  /**
   * An empty one.
   *
   * @param most how many connections it opens
   */
  Pool(Source source, int most) {
    this.source = source;
    this.room = new Semaphore(most, true);
  }

  /** Runs work with a connection. */
  <T> T use(Work<T> work) throws SQLException {
    enter();
    try {
      Connection connection = idle.pollFirst();
      return use(connection == null ? source.open() : connection, work);
    } finally {
      room.release();
    }
  }

  private <T> T use(Connection connection, Work<T> work) throws SQLException {
    try {
      T value = work.on(connection);
      idle.addFirst(connection);
      return value;
    } catch (SQLException | RuntimeException | Error e) {
      close(connection, e); // at once: in its transaction nobody else may work
      closeIdle(e);
      throw e;
    } finally {
      if (closed) { // by another thread, meanwhile
        closeIdle(new SQLException("closed"));
      }
    }
  }

  private void enter() throws SQLException {
    if (closed) {
      throw new SQLException("the store is closed");
    }
    try {
      if (!room.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new SQLException("all connections are in use for " + WAIT_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while waiting for a connection", e);
    }
  }

  private void closeIdle(Throwable why) {
    for (Connection connection = idle.pollFirst();
        connection != null;
        connection = idle.pollFirst()) {
      close(connection, why);
    }
  }

  private static void close(Connection connection, Throwable why) {
    try {
      connection.close();
    } catch (SQLException e) {
      why.addSuppressed(e);
    }
  }

  @Override
  public void close() throws SQLException {
    closed = true;
    SQLException failed = new SQLException("connections cannot be closed");
    closeIdle(failed);
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }
}
