package dev.halfcell.rest.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * How often something is tried again: after pauses that grow, or as long as the server says, until
 * a time is over in which nothing came of it. One thread.
 */
final class Patience {
  private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

  private final long whole;
  private long begun = System.nanoTime();
  private long pause = FIRST_PAUSE;

  Patience(Duration whole) {
    this.whole = whole.toNanos();
  }

  /** Something came of it: from here on all begins anew. */
  void renew() {
    begun = System.nanoTime();
    pause = FIRST_PAUSE;
  }

  /** How long it has been tried. */
  Duration spent() {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** Waits for the next try. Returns at once, and false, where there is no time for one. */
  boolean again(Optional<Duration> asServerSays) throws IOException {
    long next = asServerSays.map(Duration::toNanos).orElse(pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
    if (spent().toNanos() + next > whole) {
      return false;
    }
    try {
      Thread.sleep(Duration.ofNanos(next));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedCallException();
    }
  }
}
