package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A tensor seen as runs of elements in memory order. Row-major, a run is all positions of one
 * channel of one sample; channels last, it is all channels of some positions, which are of one
 * sample where its positions can be shared out evenly to runs that are long enough.
 *
 * @param size the elements of the tensor
 * @param length the elements of a run; the last one may have fewer
 * @param count how many channels there are
 * @param along whether the channel changes along a run, and not from run to run
 * @param samples how many samples there are
 */
record Channels(int size, int length, int count, boolean along, int samples) {
  /** What several arrays of fit the first cache. */
  private static final int PIECE = 512;

  /** The most elements of a vector of floats. */
  private static final int VECTOR = 16;

  /** A run may be so many times shorter than the longest that fits. */
  private static final int SHORTEST = 4;

  static Channels of(Operand x) {
    Shape shape = x.spec().shape();
    int count = shape.dim(1);
    int size = Flat.size(x);
    int positions = size / (shape.dim(0) * count);
    boolean along = positions == 1 || x.layout() == Layout.CHANNELS_LAST;
    int most = Math.max(1, PIECE / count);
    int length =
        along ? count * (positions == 1 ? most : ofOne(positions, most, count)) : positions;
    return new Channels(size, length, count, along, shape.dim(0));
  }

  /**
   * The largest divisor of a sample's positions up to {@code most}, which makes runs of one sample
   * each; {@code most} itself where that divisor is much smaller, or its runs are not as even for
   * vectors.
   */
  private static int ofOne(int positions, int most, int count) {
    int unit = Math.min(VECTOR, Integer.lowestOneBit(most * count));
    for (int even = most; SHORTEST * even >= most; even--) {
      if (positions % even == 0 && even * count % unit == 0) {
        return even;
      }
    }
    return most;
  }

  /** Whether runs are of one sample each. */
  private boolean ofSamples() {
    return size / samples % length == 0;
  }

  /** The elements of one channel in a sample. */
  int positions() {
    return size / samples / count;
  }

  /** The elements of one channel. */
  int elements() {
    return size / count;
  }

  /** The most elements of a {@link Piece}. */
  int piece() {
    return along ? length : Math.min(length, PIECE);
  }

  /** Elements of one run, so many that loops over them stay in the first cache. */
  interface Piece {
    /**
     * {@code count} elements from {@code index} on: all channels in turn, or all of {@code
     * channel}.
     */
    void run(long index, int count, int channel);
  }

  /** Goes through the runs {@code from} to {@code to}. */
  void pieces(int from, int to, Piece piece) {
    for (int run = from; run < to; run++) {
      int begin = run * length;
      int end = Math.min(size, begin + length);
      for (int start = begin; start < end; start += piece()) {
        piece.run(start, Math.min(piece(), end - start), run % count);
      }
    }
  }

  /**
   * The fewest elements in whole vectors behind which channels come in the same order again, or
   * those of a vector where the channel does not change along a run. It is the same for vectors of
   * 256 bits and for those of 512.
   */
  int period() {
    int period = VECTOR;
    while (along && period % count != 0) {
      period += VECTOR;
    }
    return period;
  }

  /** One loop for each part, over runs that follow each other. */
  interface Part {
    /** Before the first run. */
    void begin();

    void run(int from, int to);

    /** Behind the last run. */
    void end();
  }

  /** Adds a stage whose parts are made by {@code part} and walk over the runs. */
  void stage(KernelBuilder builder, Operand x, IntFunction<Part> part) {
    Split split = split(builder);
    Part[] parts = IntStream.range(0, split.parts()).mapToObj(part).toArray(Part[]::new);
    if (bySamples(builder)) {
      int runs = size / samples / length;
      builder.stage(SampleLoop.of(split, x.sampleOffset(1), new Body(parts, runs)));
    } else {
      builder.stage(parts.length, p -> whole(parts[p], split.from(p), split.from(p + 1)));
    }
  }

  private static void whole(Part part, int from, int to) {
    part.begin();
    part.run(from, to);
    part.end();
  }

  /** The parts, whose samples have so many runs each. */
  private record Body(Part[] parts, int runs) implements SampleLoop.Body {
    @Override
    public void begin(int part) {
      parts[part].begin();
    }

    @Override
    public void run(int part, int from, int to) {
      parts[part].run(from * runs, to * runs);
    }

    @Override
    public void end(int part) {
      parts[part].end();
    }
  }

  /** How many parts {@link #stage} makes. */
  int parts(KernelBuilder builder) {
    return split(builder).parts();
  }

  /** The samples of each part, where a part has whole ones. */
  Optional<Split> samplesOfParts(KernelBuilder builder) {
    return bySamples(builder) ? Optional.of(split(builder)) : Optional.empty();
  }

  private boolean bySamples(KernelBuilder builder) {
    return ofSamples() && SampleLoop.shared(samples, builder.threads());
  }

  private Split split(KernelBuilder builder) {
    int things = bySamples(builder) ? samples : Math.ceilDiv(size, length);
    return Split.of(things, 1, builder.threads());
  }
}
