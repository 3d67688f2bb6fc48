package dev.halfcell.rest.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Open connections, each used by one thread at a time. One with which something went wrong is
 * closed, and those that lie idle too: a database that was started anew has forgotten them all. One
 * that nobody needed for half a minute is closed by a later use: what is open goes by how many work
 * at the same time, not by how many once did.
 */
final class Pool implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Pool.class.getName());
  private static final int WAIT_SECONDS = 5;
  private static final long IDLE_NANOSECONDS = 30_000_000_000L;

  private final Source source;
  private final Semaphore room;
  private final LongSupplier clock;

  /** The one that was used last is in front and is used next. */
  private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();

  private volatile boolean closed;

  /** Opens a connection. */
  @FunctionalInterface
  interface Source {
    Connection open() throws SQLException;
  }

  /** One that nobody uses, since a time in nanoseconds. */
  private record Idle(Connection connection, long since) {}

  /**
   * An empty one.
   *
   * @param most how many connections it opens
   */
  Pool(Source source, int most) {
    this(source, most, System::nanoTime);
  }

  /**
   * An empty one.
   *
   * @param most how many connections it opens
   * @param clock nanoseconds
   */
  Pool(Source source, int most, LongSupplier clock) {
    this.source = source;
    this.room = new Semaphore(most, true);
    this.clock = clock;
  }

  /** Runs work with a connection. */
  <T> T use(Work<T> work) throws SQLException {
    enter();
    try {
      Idle last = idle.pollFirst();
      return use(last == null ? source.open() : last.connection(), work);
    } finally {
      room.release();
    }
  }

  private <T> T use(Connection connection, Work<T> work) throws SQLException {
    try {
      T value = work.on(connection);
      idle.addFirst(new Idle(connection, clock.getAsLong()));
      closeLongIdle();
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
    for (Idle each = idle.pollFirst(); each != null; each = idle.pollFirst()) {
      close(each.connection(), why);
    }
  }

  /** At most one for each use: nobody waits for the ends of many. */
  private void closeLongIdle() {
    Idle oldest = idle.peekLast();
    if (oldest == null
        || clock.getAsLong() - oldest.since() <= IDLE_NANOSECONDS
        || !idle.remove(oldest)) {
      return;
    }
    try {
      oldest.connection().close();
    } catch (SQLException e) { // the work that was done is done
      LOGGER.log(System.Logger.Level.WARNING, "an idle connection could not be closed", e);
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
