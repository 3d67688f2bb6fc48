package dev.halfcell.load;

import java.util.Arrays;
import java.util.List;

/** Times that something took. One thread fills it. */
final class Latencies {
  private static final double NANOSECONDS = 1e6;

  private long[] nanoseconds = new long[1024];
  private int count;

  void add(long took) {
    if (count == nanoseconds.length) {
      nanoseconds = Arrays.copyOf(nanoseconds, count * 2);
    }
    nanoseconds[count++] = took;
  }

  int count() {
    return count;
  }

  /** All of some. */
  static Latencies all(List<Latencies> parts) {
    Latencies all = new Latencies();
    for (Latencies part : parts) {
      for (int i = 0; i < part.count; i++) {
        all.add(part.nanoseconds[i]);
      }
    }
    return all;
  }

  /** Milliseconds that so much of a hundred took at most; NaN where nothing was timed. */
  double percentile(double percent) {
    if (count == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(nanoseconds, count);
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percent / 100 * count);
    return sorted[Math.max(0, Math.min(count, rank) - 1)] / NANOSECONDS;
  }

  /** Of those in a part of the time that they were filled in, as in its last quarter. */
  Latencies part(double from, double to) {
    Latencies part = new Latencies();
    for (int i = (int) (from * count); i < (int) (to * count); i++) {
      part.add(nanoseconds[i]);
    }
    return part;
  }

  @Override
  public String toString() {
    return "%d answers, p50 %.2f ms, p99 %.2f ms, longest %.2f ms"
        .formatted(count, percentile(50), percentile(99), percentile(100));
  }
}
