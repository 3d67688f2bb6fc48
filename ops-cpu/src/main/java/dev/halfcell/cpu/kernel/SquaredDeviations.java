package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/** For each channel the sum of (x − mean)², in double; each part sums its own runs. */
final class SquaredDeviations {
  private final Channels channels;
  private final double[] mean;
  private final double[][] sums;

  private SquaredDeviations(Channels channels, double[] mean, int parts) {
    this.channels = channels;
    this.mean = mean;
    this.sums = new double[parts][channels.count()];
  }

  /** Adds a stage that sums, mean as it is when the stage runs. */
  static SquaredDeviations of(KernelBuilder builder, Operand x, double[] mean) {
    Channels channels = Channels.of(x);
    SquaredDeviations sums = new SquaredDeviations(channels, mean, channels.parts(builder));
    channels.stage(builder, part -> sums.part(x, part));
    return sums;
  }

  /** The sum over all parts. */
  double total(int c) {
    double sum = 0;
    for (double[] part : sums) {
      sum += part[c];
    }
    return sum;
  }

  private Channels.Part part(Operand x, int number) {
    Chunk chunk = new Chunk();
    return (from, to) -> {
      Arrays.fill(sums[number], 0);
      for (int run = from; run < to; run++) {
        for (int start = 0; start < channels.length(); start += Chunk.SIZE) {
          int count = Math.min(Chunk.SIZE, channels.length() - start);
          chunk.load(x.region().data(), x.dtype(), (long) run * channels.length() + start, count);
          if (channels.along()) {
            along(chunk.values, start, count, sums[number]);
          } else {
            sums[number][channels.channel(run)] +=
                across(chunk.values, count, mean[channels.channel(run)]);
          }
        }
      }
    };
  }

  private void along(float[] values, int first, int count, double[] into) {
    for (int i = 0; i < count; i++) {
      double difference = values[i] - mean[first + i];
      into[first + i] += difference * difference;
    }
  }

  private static double across(float[] values, int count, double middle) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double difference = values[i] - middle;
      sum += difference * difference;
    }
    return sum;
  }
}
