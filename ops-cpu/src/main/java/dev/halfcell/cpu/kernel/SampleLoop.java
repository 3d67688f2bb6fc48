package dev.halfcell.cpu.kernel;

import java.util.List;
import java.util.Optional;

/**
 * Work on a batch, some samples at a time and in their order: what it computes of a sample depends
 * on no later sample of what loops right before it have computed. So such loops can go through the
 * batch together, and what one has computed of some samples is read by the next out of the cache.
 */
public final class SampleLoop {
  /** Parts may be larger than their share by one sample of so many. */
  private static final int FEWEST = 8;

  /** The bytes that the samples of one tensor take at most: several of them fit a second cache. */
  private static final long CACHED = 128 << 10;

  /** For each reading of a weight, so many times its bytes are read of samples at the least. */
  private static final long WEIGHTS = 2;

  private final Split samples;
  private final int unit;
  private final boolean units;
  private final Body body;

  private SampleLoop(Split samples, int unit, boolean units, Body body) {
    this.samples = samples;
    this.unit = unit;
    this.units = units;
    this.body = body;
  }

  /**
   * One that computes any number of samples at a time.
   *
   * @param samples how the batch is shared out to the parts
   * @param bytes those of a sample of its largest tensor
   */
  static SampleLoop of(Split samples, long bytes, Body body) {
    return new SampleLoop(samples, unit(bytes, 0), false, body);
  }

  /**
   * One that computes multiples of a unit at a time.
   *
   * @param unit a power of two; the last samples of a part may be fewer
   */
  static SampleLoop inUnits(Split samples, int unit, Body body) {
    return new SampleLoop(samples, unit, true, body);
  }

  /** Whether parts of whole samples are about as large as each other. */
  static boolean shared(int samples, int threads) {
    int above = Math.ceilDiv(samples, threads) * threads - samples;
    return samples >= threads && FEWEST * above <= samples;
  }

  /**
   * How many samples to go through at a time.
   *
   * @param bytes those of a sample of the largest tensor
   * @param weight those of a weight that is read for them
   */
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
    int chunk = chunk(loops);
    List<Body> bodies = loops.stream().map(loop -> loop.body).toList();
    Split split = loops.getFirst().samples;
    return new Stage(
        split.parts(), part -> run(bodies, part, split.from(part), split.from(part + 1), chunk));
  }

  /** The largest of the units, which are multiples of each other; else what suits all. */
  private static int chunk(List<SampleLoop> loops) {
    return loops.stream()
        .filter(loop -> loop.units)
        .mapToInt(loop -> loop.unit)
        .max()
        .orElseGet(() -> loops.stream().mapToInt(loop -> loop.unit).min().orElseThrow());
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
