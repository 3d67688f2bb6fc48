package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A tensor seen as runs of elements in memory order. Row-major, a run is all positions of one
 * channel of one sample; channels last, it is all channels of one position.
 *
 * @param runs how many runs there are
 * @param length the elements of a run
 * @param count how many channels there are
 * @param along whether the channel changes along a run, and not from run to run
 */
record Channels(int runs, int length, int count, boolean along) {
  static Channels of(Operand x) {
    Shape shape = x.spec().shape();
    int count = shape.dim(1);
    int positions = Math.toIntExact(shape.tail().tail().size());
    int samples = shape.dim(0);
    boolean along = positions == 1 || x.layout() == Layout.CHANNELS_LAST;
    return along
        ? new Channels(samples * positions, count, count, true)
        : new Channels(samples * count, positions, count, false);
  }

  /** The elements of one channel. */
  int elements() {
    return Math.toIntExact((long) runs * length / count);
  }

  /** The channel of the first element of a run. */
  int channel(int run) {
    return along ? 0 : run % count;
  }

  /** One loop for each part, over runs that follow each other. */
  interface Part {
    void run(int from, int to);
  }

  /** Adds a stage whose parts are made by {@code part} and walk over the runs. */
  void stage(KernelBuilder builder, IntFunction<Part> part) {
    Split split = Split.of(runs, 1, builder.threads());
    Part[] parts = IntStream.range(0, split.parts()).mapToObj(part).toArray(Part[]::new);
    builder.stage(parts.length, p -> parts[p].run(split.from(p), split.from(p + 1)));
  }

  /** How many parts {@link #stage} makes. */
  int parts(KernelBuilder builder) {
    return Split.of(runs, 1, builder.threads()).parts();
  }
}
