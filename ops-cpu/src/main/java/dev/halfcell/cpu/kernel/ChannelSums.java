package dev.halfcell.cpu.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * For each channel two sums in double: of d and d · (x − center), or without d of x − center and (x
 * − center)². Each part sums its own runs around centers of its own; then the parts are added in
 * order.
 */
final class ChannelSums {
  /**
   * Elements of a piece that have sums of their own, at the most, where channels repeat that soon.
   * Loops go through the piece for each vector of them, whose sums stay in registers; with more of
   * them a step is so long that loops wait for memory.
   */
  private static final int MOST_PLACES = 64;

  private final Channels channels;
  private final double[][] center;
  private final double[][] first;
  private final double[][] second;

  private ChannelSums(Channels channels, int parts) {
    this.channels = channels;
    this.center = new double[parts][channels.count()];
    this.first = new double[parts][channels.count()];
    this.second = new double[parts][channels.count()];
  }

  /** What a part's sums are taken around, found when its first samples are there. */
  @FunctionalInterface
  interface Centers {
    void fill(int part, double[] centers);
  }

  /** Adds a stage that sums. */
  static ChannelSums of(
      KernelBuilder builder, Optional<MaskedGradient> d, Operand x, Centers centers) {
    Channels channels = Channels.of(x);
    ChannelSums sums = new ChannelSums(channels, channels.parts(builder));
    channels.stage(builder, x, part -> sums.new Part(d, x, part, builder.scratch(part), centers));
    return sums;
  }

  /** What the sums of channel {@code c} are around, those of the first part. */
  double center(int c) {
    return center[0][c];
  }

  /** Σ d, or Σ (x − center) where all parts have one center, of channel {@code c}. */
  double first(int c) {
    return total(first, c);
  }

  /** Σ d · (x − center), or Σ (x − center)², of channel {@code c}, likewise. */
  double second(int c) {
    return total(second, c);
  }

  /** The share of a part in {@link #first(int)}, around its own center. */
  double first(int part, int c) {
    return first[part][c];
  }

  /** The share of a part in {@link #second(int)}, around its own center. */
  double second(int part, int c) {
    return second[part][c];
  }

  /** How far a part's center is above that of the first part. */
  double away(int part, int c) {
    return center[part][c] - center[0][c];
  }

  private static double total(double[][] parts, int c) {
    double sum = 0;
    for (double[] part : parts) {
      sum += part[c];
    }
    return sum;
  }

  private final class Part implements Channels.Part, Channels.Piece {
    private final Optional<MaskedGradient> d;
    private final Operand x;
    private final int number;
    private final Centers filler;
    private final double[] firsts;
    private final double[] seconds;
    private final ChannelLanes lanes;
    private final Chunk xs;
    private final Chunk ds;
    private final MaskedGradient.Reader reader;
    private final double[] centers;
    private final double[] sums;
    private final double[] products;
    private final ChannelVectors.Totals totals;
    private final Optional<ChannelVectors> straight;
    private final Optional<ChannelGradients> withGradient;
    private final int period;
    private boolean begun;
    private int width;
    private int channel;

    Part(Optional<MaskedGradient> d, Operand x, int number, Scratch scratch, Centers filler) {
      this.d = d;
      this.x = x;
      this.number = number;
      this.filler = filler;
      firsts = first[number];
      seconds = second[number];
      lanes = new ChannelLanes(channels);
      int size = channels.piece();
      xs = scratch.chunk(size);
      ds = scratch.chunk(size);
      reader = new MaskedGradient.Reader(scratch, size);
      totals = scratch.totals(size);
      centers = totals.center();
      sums = totals.first();
      products = totals.second();
      straight = d.isPresent() ? Optional.empty() : ChannelVectors.of(List.of(x), xs.values);
      withGradient = d.flatMap(gradient -> ChannelGradients.of(gradient, x, Optional.empty()));
      period = channels.period();
    }

    @Override
    public void begin() {
      Arrays.fill(firsts, 0);
      Arrays.fill(seconds, 0);
      Arrays.fill(sums, 0);
      Arrays.fill(products, 0);
      begun = false;
    }

    /** Centers may be elements, which are not there before the first run. */
    @Override
    public void run(int from, int to) {
      if (!begun) {
        filler.fill(number, center[number]);
        width = 0;
        begun = true;
      }
      channels.pieces(from, to, this);
    }

    @Override
    public void end() {
      collect();
    }

    @Override
    public void run(long index, int count, int channel) {
      int places = period <= MOST_PLACES && count % period == 0 ? period : count;
      if (places != width || (!channels.along() && channel != this.channel)) {
        collect();
        lanes.spread(center[number], centers, places, channel);
        width = places;
        this.channel = channel;
      }
      if (withGradient.isPresent() && count % ChannelVectors.length() == 0) {
        addStraight(withGradient.get(), d.orElseThrow(), index, count);
      } else if (straight.isPresent() && count % ChannelVectors.length() == 0) {
        straight.get().sums(x.address(index, count), totals, count, width);
      } else {
        addByChunks(index, count);
      }
    }

    private void addStraight(ChannelGradients loops, MaskedGradient by, long index, int count) {
      long from = x.address(index, count);
      long slopes = by.gradient().address(index, count);
      if (by.mask().isPresent()) {
        long above = by.mask().get().address(index, count);
        loops.sumsMasked(slopes, above, from, totals, count, width);
      } else {
        loops.sumsGradient(slopes, from, totals, count, width);
      }
    }

    /** In the order in which vectors add. */
    private void addByChunks(long index, int count) {
      xs.load(x, index, count);
      d.ifPresent(gradient -> reader.read(gradient, ds, index, count));
      for (int from = 0; from < count; from += width) {
        if (d.isPresent()) {
          addGradient(ds.values, from);
          addProducts(ds.values, xs.values, from);
        } else {
          addSquares(xs.values, from);
        }
      }
    }

    private void collect() {
      lanes.collect(sums, firsts, width, channel);
      lanes.collect(products, seconds, width, channel);
    }

    private void addSquares(float[] x, int from) {
      for (int i = 0; i < width; i++) {
        double difference = x[from + i] - centers[i];
        sums[i] += difference;
        products[i] += difference * difference;
      }
    }

    private void addGradient(float[] d, int from) {
      for (int i = 0; i < width; i++) {
        sums[i] += d[from + i];
      }
    }

    private void addProducts(float[] d, float[] x, int from) {
      for (int i = 0; i < width; i++) {
        products[i] += d[from + i] * (x[from + i] - centers[i]);
      }
    }
  }
}
