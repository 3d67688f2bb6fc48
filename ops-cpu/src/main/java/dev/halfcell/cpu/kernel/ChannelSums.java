package dev.halfcell.cpu.kernel;

import java.util.Arrays;
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
    this.first = new double[parts][channels.period()];
    this.second = new double[parts][channels.period()];
  }

  /** Adds a stage that sums, center as it is when the stage runs. */
  static ChannelSums of(KernelBuilder builder, Optional<Operand> d, Operand x, double[] center) {
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

  private double total(double[][] parts, int c) {
    double sum = 0;
    for (double[] part : parts) {
      sum += channels.fold(part, c);
    }
    return sum;
  }

  private final class Part implements Channels.Part, Channels.Piece {
    private final Optional<Operand> d;
    private final Operand x;
    private final double[] sums;
    private final double[] products;
    private final double[] centers = new double[channels.period()];
    private final Chunk ds;
    private final Chunk xs;
    private final double[] terms;

    Part(Optional<Operand> d, Operand x, int number, Scratch scratch) {
      ds = scratch.chunk();
      xs = scratch.chunk();
      terms = scratch.doubles(Chunk.SIZE);
      this.d = d;
      this.x = x;
      this.sums = first[number];
      this.products = second[number];
    }

    @Override
    public void run(int from, int to) {
      Arrays.fill(sums, 0);
      Arrays.fill(products, 0);
      channels.repeat(center, centers);
      channels.pieces(from, to, this);
    }

    @Override
    public void run(long index, int count, int channel) {
      xs.load(x.region().data(), x.dtype(), index, count);
      if (d.isPresent()) {
        Operand other = d.get();
        ds.load(other.region().data(), other.dtype(), index, count);
      }
      if (!channels.along()) {
        across(count, channel);
        return;
      }
      for (int start = 0; start < count; start += sums.length) {
        int several = Math.min(sums.length, count - start);
        if (d.isPresent()) {
          products(start, several, channel);
        } else {
          squares(start, several, channel);
        }
      }
    }

    private void products(int start, int count, int channel) {
      for (int i = 0; i < count; i++) {
        double value = ds.values[start + i];
        sums[channel + i] += value;
        products[channel + i] += value * (xs.values[start + i] - centers[channel + i]);
      }
    }

    private void squares(int start, int count, int channel) {
      for (int i = 0; i < count; i++) {
        double difference = xs.values[start + i] - centers[channel + i];
        sums[channel + i] += difference;
        products[channel + i] += difference * difference;
      }
    }

    private void across(int count, int channel) {
      subtract(xs.values, centers[channel], terms, count);
      if (d.isPresent()) {
        sums[channel] += RunningSums.of(ds.values, 0, count);
        multiply(terms, ds.values, count);
      } else {
        sums[channel] += RunningSums.of(terms, 0, count);
        square(terms, count);
      }
      products[channel] += RunningSums.of(terms, 0, count);
    }

    private static void subtract(float[] x, double center, double[] to, int count) {
      for (int i = 0; i < count; i++) {
        to[i] = x[i] - center;
      }
    }

    private static void multiply(double[] a, float[] by, int count) {
      for (int i = 0; i < count; i++) {
        a[i] *= by[i];
      }
    }

    private static void square(double[] a, int count) {
      for (int i = 0; i < count; i++) {
        a[i] *= a[i];
      }
    }
  }
}
