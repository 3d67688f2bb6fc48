package dev.halfcell.rest.supervisor;

import java.time.Duration;

/** When something is to be done again. One thread. */
final class Due {
  private final long every;
  private long at = System.nanoTime();

  Due(Duration every) {
    this.every = every.toNanos();
  }

  boolean now() {
    boolean due = System.nanoTime() - at >= 0;
    if (due) {
      at = System.nanoTime() + every;
    }
    return due;
  }

  void soon() {
    at = System.nanoTime();
  }
}
