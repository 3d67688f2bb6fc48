package dev.halfcell.cpu.kernel;

import java.util.Optional;

/**
 * For each element y = a · d + (b · x + c), or without d the latter alone, with a, b and c of its
 * channel as they are when the stage runs; in double, rounded once.
 */
final class ChannelMap {
  private final Channels channels;
  private final Coefficients coefficients;

  private ChannelMap(Channels channels, Coefficients coefficients) {
    this.channels = channels;
    this.coefficients = coefficients;
  }

  /** Coefficients of {@code count} channels, to be filled by an earlier stage. */
  record Coefficients(double[] a, double[] b, double[] c) {
    Coefficients(int count) {
      this(new double[count], new double[count], new double[count]);
    }
  }

  static void stage(
      KernelBuilder builder, Optional<Operand> d, Operand x, Operand y, Coefficients coefficients) {
    ChannelMap map = new ChannelMap(Channels.of(x), coefficients);
    map.channels.stage(builder, part -> map.new Part(d, x, y, builder.scratch(part)));
  }

  private final class Part implements Channels.Part, Channels.Piece {
    private final Optional<Operand> d;
    private final Operand x;
    private final Operand y;
    private final Chunk ds;
    private final Chunk xs;
    private final double[] a = new double[channels.period()];
    private final double[] b = new double[channels.period()];
    private final double[] c = new double[channels.period()];

    Part(Optional<Operand> d, Operand x, Operand y, Scratch scratch) {
      ds = scratch.chunk();
      xs = scratch.chunk();
      this.d = d;
      this.x = x;
      this.y = y;
    }

    @Override
    public void run(int from, int to) {
      channels.repeat(coefficients.a(), a);
      channels.repeat(coefficients.b(), b);
      channels.repeat(coefficients.c(), c);
      channels.pieces(from, to, this);
    }

    @Override
    public void run(long index, int count, int channel) {
      xs.load(x.region().data(), x.dtype(), index, count);
      if (d.isPresent()) {
        Operand other = d.get();
        ds.load(other.region().data(), other.dtype(), index, count);
      }
      if (channels.along()) {
        for (int start = 0; start < count; start += a.length) {
          int several = Math.min(a.length, count - start);
          if (d.isPresent()) {
            along(start, several, channel);
          } else {
            scaled(start, several, channel);
          }
        }
      } else {
        across(count, channel);
      }
      xs.store(y.region().data(), y.dtype(), index, count);
    }

    private void along(int start, int count, int channel) {
      float[] values = xs.values;
      float[] others = ds.values;
      for (int i = 0; i < count; i++) {
        double rest = b[channel + i] * values[start + i] + c[channel + i];
        values[start + i] = (float) (a[channel + i] * others[start + i] + rest);
      }
    }

    private void scaled(int start, int count, int channel) {
      float[] values = xs.values;
      for (int i = 0; i < count; i++) {
        values[start + i] = (float) (b[channel + i] * values[start + i] + c[channel + i]);
      }
    }

    private void across(int count, int channel) {
      float[] values = xs.values;
      double forX = b[channel];
      double constant = c[channel];
      if (d.isEmpty()) {
        for (int i = 0; i < count; i++) {
          values[i] = (float) (forX * values[i] + constant);
        }
        return;
      }
      double forD = a[channel];
      float[] others = ds.values;
      for (int i = 0; i < count; i++) {
        values[i] = (float) (forD * others[i] + (forX * values[i] + constant));
      }
    }
  }
}
