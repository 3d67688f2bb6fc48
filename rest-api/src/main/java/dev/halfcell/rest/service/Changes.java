package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Wakes one thread that waits for something to happen to a job. */
final class Changes implements Consumer<List<JobEvent>> {
  private static final long LOOK_MILLISECONDS = 1_000;

  private final Semaphore happened = new Semaphore(0);

  @Override
  public void accept(List<JobEvent> events) {
    happened.release();
  }

  /** Waits until something happened, but not long. */
  void await(Duration most) {
    try {
      long wait = Math.clamp(most.toMillis(), 1, LOOK_MILLISECONDS);
      if (happened.tryAcquire(wait, TimeUnit.MILLISECONDS)) {
        happened.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RefusedException.unavailable("The server ends.");
    }
  }
}
