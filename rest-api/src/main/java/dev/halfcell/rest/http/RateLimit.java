package dev.halfcell.rest.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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

  /** Takes so many for an owner; false, and none, where fewer are left. */
  boolean take(String owner, double count) {
    boolean[] taken = {false};
    buckets.compute(
        owner,
        (_, there) -> {
          Bucket now = filled(there);
          taken[0] = now.left() >= count;
          return taken[0] ? new Bucket(now.left() - count, now.at()) : now;
        });
    return taken[0];
  }

  /** Undoes that so many were taken. */
  void giveBack(String owner, double count) {
    buckets.computeIfPresent(
        owner, (_, there) -> new Bucket(Math.min(atOnce, there.left() + count), there.at()));
  }

  /** How many an owner could take now. */
  double left(String owner) {
    return filled(buckets.get(owner)).left();
  }

  /** What has come back by now. There are as many owners as tokens. */
  private Bucket filled(@Nullable Bucket there) {
    long now = clock.getAsLong();
    double left =
        there == null
            ? atOnce
            : Math.min(atOnce, there.left() + (now - there.at()) / NANOSECONDS * perSecond);
    return new Bucket(left, now);
  }
}
