package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.kernel.ChannelMap.Coefficients;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.tensor.Elements;
import java.util.List;
import java.util.Optional;

/** Batch normalisation in double. */
final class NormalizationKernels {
  private NormalizationKernels() {}

  static void build(KernelBuilder builder, Normalization op, List<Operand> in, List<Operand> out) {
    switch (op) {
      case BatchNorm b -> batchNorm(builder, b, in, out);
      case BatchNormGradient(double epsilon) -> gradient(builder, epsilon, in, out);
      case Normalize(double epsilon) -> normalize(builder, epsilon, in, out.getFirst());
      case RunningAverage rule ->
          Flat.stage(builder, in, out, (from, to, count, _) -> average(rule, from, to[0], count));
      case GroupwiseNormalization g -> GroupwiseForward.build(builder, g, in, out);
      case GroupwiseGradient g -> GroupwiseBackward.build(builder, g, in, out);
    }
  }

  private static void average(RunningAverage rule, float[][] in, float[] out, int count) {
    double keep = rule.momentum();
    double take = (1 - keep) * rule.factor();
    for (int i = 0; i < count; i++) {
      out[i] = (float) (keep * in[0][i] + take * in[1][i]);
    }
  }

  private static double value(Operand operand, int channel) {
    return Elements.get(operand.region().data(), operand.dtype(), channel);
  }

  private static void store(Operand operand, int channel, double value) {
    Elements.set(operand.region().data(), operand.dtype(), channel, value);
  }

  private static void batchNorm(
      KernelBuilder builder, BatchNorm op, List<Operand> in, List<Operand> out) {
    Operand x = in.getFirst();
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
    ChannelMap.stage(builder, Optional.empty(), x, y, map);
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

  /** y = gamma · scale · (x − mean) + beta as a · x + c. */
  private static void affine(
      Coefficients map, int channel, List<Operand> in, double mean, double scale) {
    double factor = value(in.get(1), channel) * scale;
    map.b()[channel] = factor;
    map.c()[channel] = value(in.get(2), channel) - factor * mean;
  }

  private static void normalize(
      KernelBuilder builder, double epsilon, List<Operand> in, Operand out) {
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
    ChannelMap.stage(builder, Optional.empty(), x, y, map);
  }

  /** (d, x, gamma, mean, variance) → dx, dgamma, dbeta. */
  private static void gradient(
      KernelBuilder builder, double epsilon, List<Operand> in, List<Operand> out) {
    Operand x = in.get(1);
    Operand d = builder.in(in.get(0), in.get(0).dtype(), x.layout());
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
            double slope = factor * dgamma * scale / channels.elements();
            map.a()[c] = factor;
            map.b()[c] = -slope;
            map.c()[c] = slope * mean[c] - factor * dbeta / channels.elements();
          }
        });
    ChannelMap.stage(builder, Optional.of(d), x, dx, map);
  }
}
