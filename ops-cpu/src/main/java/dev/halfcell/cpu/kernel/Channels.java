package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A tensor seen as runs of elements in memory order. Row-major, a run is all positions of one
 * channel of one sample; channels last, it is all channels of some positions.
 *
 * @param size the elements of the tensor
 * @param length the elements of a run; the last one may have fewer
 * @param count how many channels there are
 * @param along whether the channel changes along a run, and not from run to run
 */
record Channels(int size, int length, int count, boolean along) {
  /** What several arrays of fit the first cache. */
  private static final int PIECE = 512;

  static Channels of(Operand x) {
    Shape shape = x.spec().shape();
    int count = shape.dim(1);
    int size = Flat.size(x);
    int positions = size / (shape.dim(0) * count);
    boolean along = positions == 1 || x.layout() == Layout.CHANNELS_LAST;
    return along
        ? new Channels(size, count * Math.max(1, PIECE / count), count, true)
        : new Channels(size, positions, count, false);
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
