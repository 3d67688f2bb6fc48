package dev.halfcell.rest.supervisor;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what others tell by {@code notifyAll}. */
final class Waits {
  private Waits() {}

  /**
   * Returns when it holds, or the time is over. Whoever is interrupted meanwhile waits on, and
   * finds it said afterwards.
   *
   * @param monitor what is notified
   * @param end the time, of {@link System#nanoTime}
   */
  static void until(Object monitor, BooleanSupplier holds, long end) {
    boolean interrupted = false;
    synchronized (monitor) {
      for (long left = end - System.nanoTime();
          left > 0 && !holds.getAsBoolean();
          left = end - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(monitor, left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
