package dev.halfcell.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C and a request to terminate into a question that training asks before each step. The
 * process then lives on until this is closed, so that what was reached can be saved and said, and
 * ends with the signal's own code (130, 143).
 */
final class Interruption implements AutoCloseable {
  private final AtomicBoolean requested = new AtomicBoolean();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "halfcell-interruption");
  private boolean watching;

  /** Watches from now on; until then a signal ends the process at once. */
  void watch() {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      watching = true;
    } catch (IllegalStateException ending) {
      // The process is about to end, and nothing has begun that could be saved.
      request();
    }
  }

  private void request() {
    requested.set(true);
    asked.countDown();
  }

  /** Returns when the process is to end. */
  void await() throws InterruptedException {
    asked.await();
  }

  /** Whether training is to end. */
  boolean requested() {
    return requested.get();
  }

  private void stopAndWait() {
    request();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the process with the code of what it did, where a signal came but did not end it: the
   * command was over all the same, or failed. Without a signal it returns.
   */
  void end(int exitCode) {
    if (requested() && exitCode != ExitCode.INTERRUPTED) {
      Runtime.getRuntime().halt(exitCode);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    if (watching && !requested()) {
      removeHook();
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // The hook is about to run and finds that there is nothing to wait for.
      request();
    }
  }
}
