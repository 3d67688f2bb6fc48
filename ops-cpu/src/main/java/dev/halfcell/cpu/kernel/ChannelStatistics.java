package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Elements;
import java.util.Optional;

/**
 * Mean and variance of each channel of a batch. Sums are taken around an element of the channel, so
 * that a large mean costs no digits: each part around an element p of its own samples. Then they
 * are moved to that of the first part, p₀: n elements with a sum s and a sum of squares q around p
 * have s + n·(p − p₀) and q + (p − p₀)·(2·s + n·(p − p₀)) around p₀.
 */
final class ChannelStatistics {
  private final Channels channels;
  private final ChannelSums sums;
  private final int[] elements;

  private ChannelStatistics(Channels channels, ChannelSums sums, int[] elements) {
    this.channels = channels;
    this.sums = sums;
    this.elements = elements;
  }

  /**
   * Adds the stages.
   *
   * @param stable whether the mean is taken first, and the variance around it in a second pass
   */
  static ChannelStatistics of(KernelBuilder builder, Operand x, boolean stable) {
    Channels channels = Channels.of(x);
    Optional<Split> samples = channels.samplesOfParts(builder);
    int[] first = new int[channels.parts(builder)];
    int[] elements = new int[first.length]; // not used where all parts have sample 0's element
    samples.ifPresent(
        split -> {
          for (int part = 0; part < first.length; part++) {
            first[part] = split.from(part);
            elements[part] = split.size(part) * channels.positions();
          }
        });
    ChannelSums around =
        ChannelSums.of(
            builder,
            Optional.empty(),
            x,
            (part, centers) -> pivots(channels, x, first[part], centers));
    ChannelStatistics statistics = new ChannelStatistics(channels, around, elements);
    return stable ? statistics.again(builder, x) : statistics;
  }

  private static void pivots(Channels channels, Operand x, int sample, double[] centers) {
    long begin = (long) sample * channels.positions() * centers.length;
    int step = channels.along() ? 1 : channels.positions();
    for (int c = 0; c < centers.length; c++) {
      centers[c] = Elements.get(x.region().data(), x.dtype(), begin + (long) c * step);
    }
  }

  private ChannelStatistics again(KernelBuilder builder, Operand x) {
    double[] means = new double[channels.count()];
    builder.stage(
        1,
        _ -> {
          for (int c = 0; c < means.length; c++) {
            means[c] = mean(c);
          }
        });
    ChannelSums around =
        ChannelSums.of(
            builder,
            Optional.empty(),
            x,
            (_, centers) -> System.arraycopy(means, 0, centers, 0, centers.length));
    return new ChannelStatistics(channels, around, elements);
  }

  /** The mean of channel {@code c}, once the stages have run. */
  double mean(int c) {
    return sums.center(c) + further(c);
  }

  /** The mean's distance from the first part's center. */
  private double further(int c) {
    double total = 0;
    for (int part = 0; part < elements.length; part++) {
      total += sums.first(part, c) + elements[part] * sums.away(part, c);
    }
    return total / channels.elements();
  }

  /** The mean square of the distances from it. */
  double variance(int c) {
    double squares = 0;
    for (int part = 0; part < elements.length; part++) {
      double away = sums.away(part, c);
      squares += sums.second(part, c) + away * (2 * sums.first(part, c) + elements[part] * away);
    }
    double further = further(c);
    return Math.max(0, squares / channels.elements() - further * further);
  }
}
