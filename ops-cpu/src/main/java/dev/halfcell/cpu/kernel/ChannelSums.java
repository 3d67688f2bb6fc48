package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/**
 * For each channel the sums, in double, of a, and of b · (x − center). Each part sums its own runs;
 * {@link #total} adds the parts in order.
 */
final class ChannelSums {
  private final Channels channels;
  private final double[] center;
  private final double[][] plain;
  private final double[][] centered;

  private ChannelSums(Channels channels, double[] center, int parts) {
    this.channels = channels;
    this.center = center;
    this.plain = new double[parts][channels.count()];
    this.centered = new double[parts][channels.count()];
  }

  /** Adds a stage that sums d, and d · (x − center), center as it is when the stage runs. */
  static ChannelSums of(KernelBuilder builder, Operand d, Operand x, double[] center) {
    Channels channels = Channels.of(x);
    ChannelSums sums = new ChannelSums(channels, center, channels.parts(builder));
    channels.stage(builder, part -> sums.new Part(d, x, part));
    return sums;
  }

  /** Σ of the plain sums of channel {@code c}. */
  double plain(int c) {
    return total(plain, c);
  }

  /** Σ of the centered sums of channel {@code c}. */
  double centered(int c) {
    return total(centered, c);
  }

  private static double total(double[][] parts, int c) {
    double sum = 0;
    for (double[] part : parts) {
      sum += part[c];
    }
    return sum;
  }

  private final class Part implements Channels.Part {
    private final Operand d;
    private final Operand x;
    private final int number;
    private final Chunk ds = new Chunk();
    private final Chunk xs = new Chunk();

    Part(Operand d, Operand x, int number) {
      this.d = d;
      this.x = x;
      this.number = number;
    }

    @Override
    public void run(int from, int to) {
      Arrays.fill(plain[number], 0);
      Arrays.fill(centered[number], 0);
      for (int run = from; run < to; run++) {
        for (int start = 0; start < channels.length(); start += Chunk.SIZE) {
          int count = Math.min(Chunk.SIZE, channels.length() - start);
          long index = (long) run * channels.length() + start;
          ds.load(d.region().data(), d.dtype(), index, count);
          xs.load(x.region().data(), x.dtype(), index, count);
          if (channels.along()) {
            along(start, count);
          } else {
            across(channels.channel(run), count);
          }
        }
      }
    }

    private void along(int first, int count) {
      double[] a = plain[number];
      double[] b = centered[number];
      for (int i = 0; i < count; i++) {
        double value = ds.values[i];
        a[first + i] += value;
        b[first + i] += value * (xs.values[i] - center[first + i]);
      }
    }

    private void across(int channel, int count) {
      double middle = center[channel];
      double a = 0;
      double b = 0;
      for (int i = 0; i < count; i++) {
        double value = ds.values[i];
        a += value;
        b += value * (xs.values[i] - middle);
      }
      plain[number][channel] += a;
      centered[number][channel] += b;
    }
  }
}
