package dev.halfcell.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C and a request to terminate into a question that training asks before each step. The
 * process then lives on until this is closed, so that what was reached can be saved, and ends with
 * the signal's own code (130, 143).
 */
final class Interruption implements AutoCloseable {
  private final AtomicBoolean requested = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "halfcell-interruption");

  private Interruption() {}

  /** Watches from now on. */
  static Interruption watch() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** Whether training is to end. */
  boolean requested() {
    return requested.get();
  }

  private void stopAndWait() {
    requested.set(true);
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    if (!requested.get()) {
      removeHook();
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // The hook is about to run and finds that there is nothing to wait for.
      requested.set(true);
    }
  }
}
