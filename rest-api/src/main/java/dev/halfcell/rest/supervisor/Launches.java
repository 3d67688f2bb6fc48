package dev.halfcell.rest.supervisor;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether processes can be started. Where the machine cannot for a while, jobs wait in the queue
 * instead of failing there one after the other; it is tried again after a second, then after twice
 * as long each time, up to half a minute. Threads may share it.
 */
final class Launches {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final LongSupplier nanoseconds;
  private Duration pause = Duration.ZERO;
  private long until;

  Launches(LongSupplier nanoseconds) {
    this.nanoseconds = nanoseconds;
  }

  /** One was started. */
  synchronized void worked() {
    pause = Duration.ZERO;
  }

  /** One was not, for a reason that passes. Several that fail at once are one failure. */
  synchronized void failed() {
    if (!due()) {
      return;
    }
    Duration next = pause.isZero() ? FIRST : pause.multipliedBy(2);
    pause = next.compareTo(LONGEST) > 0 ? LONGEST : next;
    until = nanoseconds.getAsLong() + pause.toNanos();
    Log.warning("no worker can be started now: no jobs are taken for " + pause.toSeconds() + " s");
  }

  /** Whether the last one was started: more than one may be tried at a time. */
  synchronized boolean sound() {
    return pause.isZero();
  }

  /** Whether one is to be started. */
  synchronized boolean due() {
    return pause.isZero() || nanoseconds.getAsLong() - until >= 0;
  }
}
