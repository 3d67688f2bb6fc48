package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.kernel.ChannelMap.Coefficients;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.tensor.Elements;
import java.util.List;
import java.util.Optional;

/**
 * Batch normalisation, with the ReLU behind it and the branch that is added in between: sums and
 * the numbers of channels in double, elements in float. Two passes over the data each way.
 */
final class BatchNormKernels {
  private BatchNormKernels() {}

  private static double value(Operand operand, int channel) {
    return Elements.get(operand.region().data(), operand.dtype(), channel);
  }

  private static void store(Operand operand, int channel, double value) {
    Elements.set(operand.region().data(), operand.dtype(), channel, value);
  }

  /**
   * (x, gamma, beta) → y, mean, variance.
   *
   * @param added what is added to the normalised x
   * @param relu whether y has no negative elements
   */
  static void forward(
      KernelBuilder builder,
      BatchNorm op,
      List<Operand> in,
      Optional<Operand> added,
      boolean relu,
      List<Operand> out) {
    Operand x = in.getFirst();
    Optional<Operand> z = added.map(a -> builder.in(a, a.dtype(), x.layout()));
    Operand y = builder.out(out.getFirst(), out.getFirst().dtype(), x.layout());
    Channels channels = Channels.of(x);
    int count = channels.count();
    double[] center = new double[count];
    builder.stage(1, _ -> pivots(channels, x, center));
    ChannelSums sums = ChannelSums.of(builder, Optional.empty(), x, center);
    if (op.stable()) {
      ChannelSums first = sums;
      builder.stage(1, _ -> addMeans(channels, first, center));
      sums = ChannelSums.of(builder, Optional.empty(), x, center);
    }
    ChannelSums last = sums;
    Coefficients map = new Coefficients(count);
    builder.stage(
        1,
        _ -> {
          for (int c = 0; c < count; c++) {
            double further = last.first(c) / channels.elements();
            double squares = last.second(c) / channels.elements();
            double mean = center[c] + further;
            double variance = Math.max(0, squares - further * further);
            store(out.get(1), c, mean);
            store(out.get(2), c, variance);
            affine(map, c, in, mean, 1 / Math.sqrt(variance + op.epsilon()));
          }
        });
    new ChannelMap(Optional.empty(), x, z, relu, y, map).stage(builder);
  }

  /** Sums are taken around each channel's first element, so that a large mean costs no digits. */
  private static void pivots(Channels channels, Operand x, double[] center) {
    int step = channels.along() ? 1 : channels.length();
    for (int c = 0; c < center.length; c++) {
      center[c] = value(x, c * step);
    }
  }

  private static void addMeans(Channels channels, ChannelSums sums, double[] center) {
    for (int c = 0; c < center.length; c++) {
      center[c] += sums.first(c) / channels.elements();
    }
  }

  /**
   * y = gamma · scale · (x − mean) + beta as b · (x − m) + c, m the float next to the mean: near it
   * the difference is exact.
   */
  private static void affine(
      Coefficients map, int channel, List<Operand> in, double mean, double scale) {
    double factor = value(in.get(1), channel) * scale;
    map.m()[channel] = (float) mean;
    map.b()[channel] = factor;
    map.c()[channel] = value(in.get(2), channel) - factor * (mean - map.m()[channel]);
  }

  /** (x, gamma, beta, mean, variance) → y. */
  static void normalize(KernelBuilder builder, double epsilon, List<Operand> in, Operand out) {
    Operand x = in.getFirst();
    Operand y = builder.out(out, out.dtype(), x.layout());
    int count = Channels.of(x).count();
    Coefficients map = new Coefficients(count);
    builder.stage(
        1,
        _ -> {
          for (int c = 0; c < count; c++) {
            double scale = 1 / Math.sqrt(value(in.get(4), c) + epsilon);
            affine(map, c, in, value(in.get(3), c), scale);
          }
        });
    ChannelMap.of(x, y, map).stage(builder);
  }

  /**
   * (d, x, gamma, mean, variance) → dx, dgamma, dbeta.
   *
   * @param above where it is not above 0, d does not count
   */
  static void gradient(
      KernelBuilder builder,
      double epsilon,
      List<Operand> in,
      Optional<Operand> above,
      List<Operand> out) {
    Operand x = in.get(1);
    MaskedGradient d = new MaskedGradient(in.get(0), above).in(builder, x.layout());
    Operand dx = builder.out(out.getFirst(), out.getFirst().dtype(), x.layout());
    Channels channels = Channels.of(x);
    int count = channels.count();
    double[] mean = new double[count];
    builder.stage(
        1,
        _ -> {
          for (int c = 0; c < count; c++) {
            mean[c] = value(in.get(3), c);
          }
        });
    ChannelSums sums = ChannelSums.of(builder, Optional.of(d), x, mean);
    Coefficients map = new Coefficients(count);
    builder.stage(
        1,
        _ -> {
          for (int c = 0; c < count; c++) {
            double scale = 1 / Math.sqrt(value(in.get(4), c) + epsilon);
            double dgamma = sums.second(c) * scale;
            double dbeta = sums.first(c);
            store(out.get(1), c, dgamma);
            store(out.get(2), c, dbeta);
            double factor = value(in.get(2), c) * scale;
            map.a()[c] = factor;
            map.b()[c] = -factor * dgamma * scale / channels.elements();
            map.c()[c] = -factor * dbeta / channels.elements();
            map.m()[c] = mean[c];
          }
        });
    new ChannelMap(Optional.of(d), x, Optional.empty(), false, dx, map).stage(builder);
  }
}
