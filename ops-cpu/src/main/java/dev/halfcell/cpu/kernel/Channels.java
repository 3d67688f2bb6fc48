package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A tensor seen as runs of elements in memory order. Row-major, a run is all positions of one
 * channel of one sample; channels last, it is all channels of as many positions as fill a chunk.
 *
 * @param size the elements of the tensor
 * @param length the elements of a run; the last one may have fewer
 * @param count how many channels there are
 * @param along whether the channel changes along a run, and not from run to run
 */
record Channels(int size, int length, int count, boolean along) {
  /** Loops shorter than this one are not worth vectorising. */
  private static final int LANES = 256;

  static Channels of(Operand x) {
    Shape shape = x.spec().shape();
    int count = shape.dim(1);
    int size = Flat.size(x);
    int positions = size / (shape.dim(0) * count);
    boolean along = positions == 1 || x.layout() == Layout.CHANNELS_LAST;
    return along
        ? new Channels(size, count * Math.max(1, Chunk.SIZE / count), count, true)
        : new Channels(size, positions, count, false);
  }

  /** The elements of one channel. */
  int elements() {
    return size / count;
  }

  /**
   * After how many elements of a run the channels repeat, for the loops over them: many positions
   * at once where channels are few.
   */
  int period() {
    return along ? count * Math.max(1, LANES / count) : count;
  }

  /** Repeats values of channels over a {@link #period}. */
  void repeat(double[] values, double[] into) {
    for (int i = 0; i < into.length; i++) {
      into[i] = values[i % count];
    }
  }

  /** The sum of what stands for a channel in a {@link #period}. */
  double fold(double[] periodic, int channel) {
    double sum = 0;
    for (int i = channel; i < periodic.length; i += count) {
      sum += periodic[i];
    }
    return sum;
  }

  /** Elements of one run that fill a chunk at most. */
  interface Piece {
    /** {@code count} elements from {@code index} on, the first of which is of {@code channel}. */
    void run(long index, int count, int channel);
  }

  /** Goes through the runs {@code from} to {@code to}. */
  void pieces(int from, int to, Piece piece) {
    for (int run = from; run < to; run++) {
      int begin = run * length;
      int end = Math.min(size, begin + length);
      for (int start = begin; start < end; start += Chunk.SIZE) {
        int channel = along ? start - begin : run % count;
        piece.run(start, Math.min(Chunk.SIZE, end - start), channel);
      }
    }
  }

  /** One loop for each part, over runs that follow each other. */
  interface Part {
    void run(int from, int to);
  }

  /** Adds a stage whose parts are made by {@code part} and walk over the runs. */
  void stage(KernelBuilder builder, IntFunction<Part> part) {
    Split split = split(builder);
    Part[] parts = IntStream.range(0, split.parts()).mapToObj(part).toArray(Part[]::new);
    builder.stage(parts.length, p -> parts[p].run(split.from(p), split.from(p + 1)));
  }

  /** How many parts {@link #stage} makes. */
  int parts(KernelBuilder builder) {
    return split(builder).parts();
  }

  private Split split(KernelBuilder builder) {
    return Split.of(Math.ceilDiv(size, length), 1, builder.threads());
  }
}
