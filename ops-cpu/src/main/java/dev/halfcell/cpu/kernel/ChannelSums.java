package dev.halfcell.cpu.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * For each channel two sums in double: of d and d · (x − center), or without d of x − center and (x
 * − center)². Each part sums its own runs; then the parts are added in order.
 */
final class ChannelSums {
  private final Channels channels;
  private final double[] center;
  private final double[][] first;
  private final double[][] second;

  private ChannelSums(Channels channels, double[] center, int parts) {
    this.channels = channels;
    this.center = center;
    this.first = new double[parts][channels.count()];
    this.second = new double[parts][channels.count()];
  }

  /**
   * Adds a stage that sums.
   *
   * @param center as it is when the stage runs
   */
  static ChannelSums of(
      KernelBuilder builder, Optional<MaskedGradient> d, Operand x, double[] center) {
    Channels channels = Channels.of(x);
    ChannelSums sums = new ChannelSums(channels, center, channels.parts(builder));
    channels.stage(builder, part -> sums.new Part(d, x, part, builder.scratch(part)));
    return sums;
  }

  /** Σ d, or Σ (x − center), of channel {@code c}. */
  double first(int c) {
    return total(first, c);
  }

  /** Σ d · (x − center), or Σ (x − center)², of channel {@code c}. */
  double second(int c) {
    return total(second, c);
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
    private int length;
    private int channel;

    Part(Optional<MaskedGradient> d, Operand x, int number, Scratch scratch) {
      this.d = d;
      this.x = x;
      firsts = first[number];
      seconds = second[number];
      lanes = new ChannelLanes(channels);
      int size = channels.piece();
      xs = scratch.chunk(size);
      ds = scratch.chunk(size);
      reader = new MaskedGradient.Reader(scratch, size);
      centers = scratch.doubles(size);
      sums = scratch.doubles(size);
      products = scratch.doubles(size);
      totals = new ChannelVectors.Totals(centers, sums, products);
      straight = d.isPresent() ? Optional.empty() : ChannelVectors.of(List.of(x));
      withGradient = d.flatMap(gradient -> ChannelGradients.of(gradient, x, Optional.empty()));
    }

    @Override
    public void run(int from, int to) {
      Arrays.fill(firsts, 0);
      Arrays.fill(seconds, 0);
      Arrays.fill(sums, 0);
      Arrays.fill(products, 0);
      length = 0;
      channels.pieces(from, to, this);
      collect();
    }

    @Override
    public void run(long index, int count, int channel) {
      if (count != length || (!channels.along() && channel != this.channel)) {
        collect();
        lanes.spread(center, centers, count, channel);
        length = count;
        this.channel = channel;
      }
      if (withGradient.isPresent() && count % ChannelVectors.length() == 0) {
        addStraight(withGradient.get(), d.orElseThrow(), index, count);
      } else if (straight.isPresent() && count % ChannelVectors.length() == 0) {
        straight.get().sums(x.address(index, count), totals, count);
      } else {
        addByChunks(index, count);
      }
    }

    private void addStraight(ChannelGradients loops, MaskedGradient by, long index, int count) {
      long from = x.address(index, count);
      long slopes = by.gradient().address(index, count);
      if (by.mask().isPresent()) {
        long above = by.mask().get().address(index, count);
        loops.sumsMasked(slopes, above, from, totals, count);
      } else {
        loops.sumsGradient(slopes, from, totals, count);
      }
    }

    private void addByChunks(long index, int count) {
      xs.load(x, index, count);
      if (d.isPresent()) {
        reader.read(d.get(), ds, index, count);
        addGradient(ds.values, count);
        addProducts(ds.values, xs.values, count);
      } else {
        addSquares(xs.values, count);
      }
    }

    private void collect() {
      lanes.collect(sums, firsts, length, channel);
      lanes.collect(products, seconds, length, channel);
    }

    private void addSquares(float[] x, int count) {
      for (int i = 0; i < count; i++) {
        double difference = x[i] - centers[i];
        sums[i] += difference;
        products[i] += difference * difference;
      }
    }

    private void addGradient(float[] d, int count) {
      for (int i = 0; i < count; i++) {
        sums[i] += d[i];
      }
    }

    private void addProducts(float[] d, float[] x, int count) {
      for (int i = 0; i < count; i++) {
        products[i] += d[i] * (x[i] - centers[i]);
      }
    }
  }
}
