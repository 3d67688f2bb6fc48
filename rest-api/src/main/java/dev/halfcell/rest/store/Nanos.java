package dev.halfcell.rest.store;

import java.time.Instant;

/** Times as columns hold them: nanoseconds since 1970. */
final class Nanos {
  private static final long SECOND = 1_000_000_000;

  private Nanos() {}

  static long of(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), SECOND), time.getNano());
  }

  static Instant instant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
  }
}
