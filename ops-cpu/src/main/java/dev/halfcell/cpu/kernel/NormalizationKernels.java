package dev.halfcell.cpu.kernel;

import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import java.util.List;
import java.util.Optional;

/** Normalisations, and the averages that go with them. */
final class NormalizationKernels {
  private NormalizationKernels() {}

  static void build(KernelBuilder builder, Normalization op, List<Operand> in, List<Operand> out) {
    switch (op) {
      case BatchNorm b -> BatchNormKernels.forward(builder, b, in, Optional.empty(), false, out);
      case BatchNormGradient(double epsilon) ->
          BatchNormKernels.gradient(builder, epsilon, in, Optional.empty(), out);
      case Normalize(double epsilon) ->
          BatchNormKernels.normalize(builder, epsilon, in, out.getFirst());
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
}
