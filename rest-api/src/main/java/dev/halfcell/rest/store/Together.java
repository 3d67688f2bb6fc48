package dev.halfcell.rest.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of all who wait in one transaction, one transaction at a time: a sync of the disk
 * takes longer than the work of many. It is done on a thread of the system: a virtual one that
 * waits in a native call keeps a processor from all others.
 *
 * @param <C> what a transaction hands to each call
 */
final class Together<C> {
  private static final int MOST = 128;

  private final Transaction<C> transaction;
  private final Function<SQLException, StoreException> failure;
  private final Predicate<SQLException> away;
  private final ConcurrentLinkedQueue<Call<C, ?>> waiting = new ConcurrentLinkedQueue<>();
  private final ExecutorService doing =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("halfcell-store").factory());

  /** Runs calls in a transaction and commits it; where it throws, nothing of them was done. */
  @FunctionalInterface
  interface Transaction<C> {
    void run(List<Call<C, ?>> calls) throws SQLException;
  }

  /** What a call does in a transaction. It may be done anew where that was rolled back. */
  @FunctionalInterface
  interface Part<C, T> {
    T in(C transaction) throws SQLException;
  }

  /**
   * One that nobody waits for.
   *
   * @param failure what is thrown for an error of the database
   * @param away whether an error is of the database as a whole, which each call alone would meet
   */
  Together(
      Transaction<C> transaction,
      Function<SQLException, StoreException> failure,
      Predicate<SQLException> away) {
    this.transaction = transaction;
    this.failure = failure;
    this.away = away;
  }

  /** Runs work in a transaction, perhaps with that of others; returns when it is committed. */
  <T> T run(Part<C, T> part) {
    Call<C, T> call = new Call<>(part);
    waiting.add(call);
    try {
      doing.execute(this::runWaiting);
    } catch (RejectedExecutionException e) {
      throw failure.apply(new SQLException("the store is closed", e));
    }
    return call.result();
  }

  /** Does all that waits, then this, and then nothing more; only the first time that it is told. */
  void end(Runnable last) {
    try {
      CompletableFuture<Void> ended = CompletableFuture.runAsync(last, doing);
      doing.shutdown();
      value(ended);
    } catch (RejectedExecutionException _) {
      // It has ended already.
    }
  }

  /** Where it was told more often than there was work, there is nothing left to do. */
  private void runWaiting() {
    List<Call<C, ?>> calls = new ArrayList<>();
    while (calls.size() < MOST && !waiting.isEmpty()) {
      calls.add(waiting.remove());
    }
    try {
      if (calls.size() == 1 || !decided(calls)) {
        calls.forEach(this::alone);
      }
    } finally {
      calls.forEach(Call::end);
    }
  }

  /** Whether all was done, or can not be; where one of them failed by itself, none was. */
  private boolean decided(List<Call<C, ?>> calls) {
    try {
      if (!calls.isEmpty()) {
        transaction.run(calls);
      }
      calls.forEach(Call::done);
      return true;
    } catch (SQLException e) {
      if (away.test(e)) {
        calls.forEach(call -> call.failed(failure.apply(e)));
      }
      return away.test(e); // else each will meet its own error, alone
    } catch (RuntimeException _) {
      return false;
    }
  }

  private void alone(Call<C, ?> call) {
    try {
      transaction.run(List.of(call));
      call.done();
    } catch (SQLException e) {
      call.failed(failure.apply(e));
    } catch (RuntimeException e) {
      call.failed(e);
    }
  }

  private static <T> T value(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** A part that somebody waits for. */
  static final class Call<C, T> {
    private final Part<C, T> part;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private @Nullable T value;

    private Call(Part<C, T> part) {
      this.part = part;
    }

    void run(C transaction) throws SQLException {
      value = part.in(transaction);
    }

    /** What it came to is committed. */
    private void done() {
      if (value != null) {
        result.complete(value);
      }
    }

    private void failed(RuntimeException error) {
      result.completeExceptionally(error);
    }

    /** Nobody waits any more: that which was neither done nor failed was stopped by an error. */
    private void end() {
      result.completeExceptionally(
          new IllegalStateException("the thread that did this work was stopped by an error"));
    }

    private T result() {
      return value(result);
    }
  }
}
