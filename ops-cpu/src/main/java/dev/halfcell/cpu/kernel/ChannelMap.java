package dev.halfcell.cpu.kernel;

/**
 * For each element y = a · d + b · x + c, with a, b and c of its channel as they are when the stage
 * runs; in double, rounded once.
 */
final class ChannelMap {
  private final Channels channels;
  private final double[] a;
  private final double[] b;
  private final double[] c;

  private ChannelMap(Channels channels, double[] a, double[] b, double[] c) {
    this.channels = channels;
    this.a = a;
    this.b = b;
    this.c = c;
  }

  /** Coefficients of {@code count} channels, to be filled by an earlier stage. */
  record Coefficients(double[] a, double[] b, double[] c) {
    Coefficients(int count) {
      this(new double[count], new double[count], new double[count]);
    }
  }

  static void stage(
      KernelBuilder builder, Operand d, Operand x, Operand y, Coefficients coefficients) {
    Channels channels = Channels.of(x);
    ChannelMap map = new ChannelMap(channels, coefficients.a(), coefficients.b(), coefficients.c());
    channels.stage(builder, _ -> map.new Part(d, x, y));
  }

  private final class Part implements Channels.Part {
    private final Operand d;
    private final Operand x;
    private final Operand y;
    private final Chunk ds = new Chunk();
    private final Chunk xs = new Chunk();

    Part(Operand d, Operand x, Operand y) {
      this.d = d;
      this.x = x;
      this.y = y;
    }

    @Override
    public void run(int from, int to) {
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
          xs.store(y.region().data(), y.dtype(), index, count);
        }
      }
    }

    private void along(int first, int count) {
      float[] values = xs.values;
      for (int i = 0; i < count; i++) {
        int channel = first + i;
        values[i] = (float) (a[channel] * ds.values[i] + (b[channel] * values[i] + c[channel]));
      }
    }

    private void across(int channel, int count) {
      float[] values = xs.values;
      double forD = a[channel];
      double forX = b[channel];
      double constant = c[channel];
      for (int i = 0; i < count; i++) {
        values[i] = (float) (forD * ds.values[i] + (forX * values[i] + constant));
      }
    }
  }
}
