package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.kernel.ChannelMap.Coefficients;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.tensor.Elements;
import java.util.Arrays;
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
    int count = Channels.of(x).count();
    ChannelStatistics statistics = ChannelStatistics.of(builder, x, op.stable());
    Coefficients map = new Coefficients(count);
    builder.stage(
        1,
        _ -> {
          for (int c = 0; c < count; c++) {
            double mean = statistics.mean(c);
            double variance = statistics.variance(c);
            store(out.get(1), c, mean);
            store(out.get(2), c, variance);
            affine(map, c, in, mean, 1 / Math.sqrt(variance + op.epsilon()));
          }
        });
    new ChannelMap(Optional.empty(), x, z, relu, y, map).stage(builder);
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
    ChannelSums sums =
        ChannelSums.of(
            builder,
            Optional.of(d),
            x,
            (_, centers) -> Arrays.setAll(centers, c -> value(in.get(3), c)));
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
            map.m()[c] = sums.center(c);
          }
        });
    new ChannelMap(Optional.of(d), x, Optional.empty(), false, dx, map).stage(builder);
  }
}
