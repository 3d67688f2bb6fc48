package dev.halfcell.rest.service;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * The one thread on which jobs are counted: one, so that a flood of submissions leaves the other
 * cores to those who read; a platform thread, because the GPU backend refuses virtual ones. Threads
 * may share it.
 */
final class CountingThread {
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("halfcell-admission").factory());
  private volatile boolean ended;

  /**
   * Does work there, and returns when it is done.
   *
   * @throws RefusedException where it has ended
   */
  <T> T call(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(() -> unlessEnded(work), thread).join();
    } catch (RejectedExecutionException e) {
      throw over();
    } catch (CompletionException e) {
      throw unwrapped(e);
    }
  }

  /**
   * Refuses what comes when it has ended.
   *
   * @throws RefusedException where it has
   */
  void requireOpen() {
    if (ended) {
      throw over();
    }
  }

  private <T> T unlessEnded(Supplier<T> work) {
    requireOpen();
    return work.get();
  }

  private static RefusedException over() {
    return RefusedException.unavailable("The server ends.");
  }

  private static RuntimeException unwrapped(CompletionException e) {
    return switch (e.getCause()) {
      case RuntimeException thrown -> thrown;
      case Error thrown -> throw thrown;
      case null, default -> e;
    };
  }

  /** Refuses all that waits, does this last and returns. Ending twice does nothing. */
  void end(Runnable last) {
    ended = true;
    try {
      CompletableFuture<Void> done = CompletableFuture.runAsync(last, thread);
      thread.shutdown();
      done.join();
    } catch (RejectedExecutionException _) {
      // It has ended already.
    } catch (CompletionException e) {
      throw unwrapped(e);
    }
  }
}
