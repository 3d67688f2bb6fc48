package dev.halfcell.rest.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** So many things in a second in the long run, and so many at once. Threads may share it. */
final class RateLimit {
  private static final double NANOSECONDS = 1e9;

  private final double perSecond;
  private final double atOnce;
  private final LongSupplier clock;
  private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

  private record Bucket(double left, long at) {}

  /**
   * One that counts for each owner by itself.
   *
   * @param clock nanoseconds
   */
  RateLimit(double perSecond, double atOnce, LongSupplier clock) {
    this.perSecond = perSecond;
    this.atOnce = atOnce;
    this.clock = clock;
  }

  /** Takes one for an owner; false where none is left. There are as many owners as tokens. */
  boolean take(String owner) {
    boolean[] taken = {false};
    buckets.compute(
        owner,
        (_, there) -> {
          long now = clock.getAsLong();
          double left =
              there == null
                  ? atOnce
                  : Math.min(atOnce, there.left() + (now - there.at()) / NANOSECONDS * perSecond);
          taken[0] = left >= 1;
          return new Bucket(taken[0] ? left - 1 : left, now);
        });
    return taken[0];
  }
}
