package dev.halfcell.rest.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of all who wait in one transaction, one transaction at a time: a sync of the disk
 * takes longer than the work of many. Whoever comes first does that of all.
 */
final class Together {
  private static final int MOST = 128;

  private final Transaction transaction;
  private final Function<SQLException, StoreException> failure;
  private final ReentrantLock running = new ReentrantLock();
  private final ConcurrentLinkedQueue<Call<?>> waiting = new ConcurrentLinkedQueue<>();

  /** Runs calls in a transaction and commits it; where it throws, nothing of them was done. */
  @FunctionalInterface
  interface Transaction {
    void run(List<Call<?>> calls) throws SQLException;
  }

  /**
   * One that nobody waits for.
   *
   * @param failure what is thrown for an error of the database
   */
  Together(Transaction transaction, Function<SQLException, StoreException> failure) {
    this.transaction = transaction;
    this.failure = failure;
  }

  /** Runs work in a transaction, perhaps with that of others; returns when it is committed. */
  <T> T run(Work<T> work) {
    Call<T> call = new Call<>(work);
    waiting.add(call);
    running.lock();
    try {
      while (!call.done && !waiting.isEmpty()) {
        runWaiting();
      }
    } finally {
      running.unlock();
    }
    return call.result();
  }

  /** Runs something while no transaction runs. */
  void between(Runnable action) {
    running.lock();
    try {
      action.run();
    } finally {
      running.unlock();
    }
  }

  private void runWaiting() {
    List<Call<?>> calls = new ArrayList<>();
    while (calls.size() < MOST && !waiting.isEmpty()) {
      calls.add(waiting.remove());
    }
    if (calls.size() == 1 || !succeeded(calls)) {
      calls.forEach(this::alone);
    }
  }

  /** Whether all was done; where one of them failed, none was. */
  private boolean succeeded(List<Call<?>> calls) {
    try {
      transaction.run(calls);
      calls.forEach(call -> call.done = true);
      return true;
    } catch (SQLException | RuntimeException _) { // each will meet its own error, alone
      return false;
    }
  }

  private void alone(Call<?> call) {
    try {
      transaction.run(List.of(call));
    } catch (SQLException e) {
      call.error = failure.apply(e);
    } catch (RuntimeException e) {
      call.error = e;
    }
    call.done = true;
  }

  /** Work that somebody waits for. Whoever has the lock reads and writes it. */
  static final class Call<T> {
    private final Work<T> work;
    private @Nullable T value;
    private @Nullable RuntimeException error;
    private boolean done;

    private Call(Work<T> work) {
      this.work = work;
    }

    void run(Connection connection) throws SQLException {
      value = work.on(connection);
    }

    private T result() {
      if (error != null) {
        throw error;
      }
      if (!done || value == null) {
        throw new IllegalStateException("the thread that did this work was stopped by an error");
      }
      return value;
    }
  }
}
