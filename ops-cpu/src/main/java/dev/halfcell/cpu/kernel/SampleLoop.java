package dev.halfcell.cpu.kernel;

import java.util.List;
import java.util.Optional;

/**
 * Work on a batch, some samples at a time and in their order: what it computes of a sample depends
 * on no other sample of what loops right before it have computed. So such loops can go through the
 * batch together, and what one has computed of some samples is read by the next out of the cache.
 */
public final class SampleLoop {
  /**
   * What some samples of the largest tensor may take: half of them and more stay in the second
   * cache.
   */
  private static final long CACHED = 128 << 10;

  /** So many times a weight's bytes are read of samples at the least while it is read once. */
  private static final long WEIGHTS = 2;

  private final Split samples;
  private final int unit;
  private final Body body;

  /**
   * @param samples how the batch is shared out to the parts
   * @param unit so many samples are computed at a time, a power of two; the last ones of a part may
   *     be fewer
   */
  SampleLoop(Split samples, int unit, Body body) {
    this.samples = samples;
    this.unit = unit;
    this.body = body;
  }

  /** How many samples to go through at a time where each takes so many bytes. */
  static int unit(long bytes) {
    return unit(bytes, 0);
  }

  /** The same where a weight of so many bytes is read for them. */
  static int unit(long bytes, long weight) {
    long some = Math.max(CACHED, WEIGHTS * weight) / Math.max(1, bytes);
    return Math.toIntExact(Long.highestOneBit(Math.max(1, some)));
  }

  /** What a part does. */
  interface Body {
    /** Before the first samples of a run. */
    default void begin(int part) {}

    /** Computes samples {@code from} to {@code to}. */
    void run(int part, int from, int to);

    /** Behind the last ones. */
    default void end(int part) {}
  }

  /** Whether both share the same batch out to the same parts. */
  public boolean alike(SampleLoop other) {
    return samples.equals(other.samples);
  }

  /** Loops over one batch as one stage. */
  public static Stage together(List<SampleLoop> loops) {
    int chunk = loops.stream().mapToInt(loop -> loop.unit).max().orElseThrow();
    List<Body> bodies = loops.stream().map(loop -> loop.body).toList();
    Split split = loops.getFirst().samples;
    return new Stage(
        split.parts(), part -> run(bodies, part, split.from(part), split.from(part + 1), chunk));
  }

  private static void run(List<Body> bodies, int part, int begin, int end, int chunk) {
    for (Body body : bodies) {
      body.begin(part);
    }
    for (int from = begin; from < end; from += chunk) {
      int to = Math.min(end, from + chunk);
      for (Body body : bodies) {
        body.run(part, from, to);
      }
    }
    for (Body body : bodies) {
      body.end(part);
    }
  }

  /** The loop by itself. */
  Stage alone(boolean early) {
    return new Stage(samples.parts(), this::whole, early, Optional.of(this));
  }

  private void whole(int part) {
    body.begin(part);
    body.run(part, samples.from(part), samples.from(part + 1));
    body.end(part);
  }
}
