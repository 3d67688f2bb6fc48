package dev.halfcell.testkit;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.Map;

/**
 * How far apart two backends come out of the same step: for each variable the largest difference,
 * over the largest move that the reference made in it, or over a share of the largest move in any
 * variable of its kind: the gradient of a bias before a batch normalisation is nothing but
 * rounding.
 */
final class StepDistance {
  private static final double SHARE = 0.1;

  private StepDistance() {}

  /**
   * The most that is allowed. Rounding nothing at all in a half step makes 0.023 in FP16 and 0.18
   * in BF16 (StepDistanceTest).
   */
  static double allowed(SmallTraining training) {
    return allowed(training.level(), training.half());
  }

  /** The same for any training. */
  static double allowed(Level level, DType half) {
    if (level == Level.O0) {
      return 1e-3;
    }
    return half == DType.FP16 ? 0.05 : 0.3;
  }

  /** The largest distance, over what the reference moved. */
  static double largest(
      Map<Variable, Tensor> start, Map<Variable, Tensor> want, Map<Variable, Tensor> got) {
    return want.keySet().stream().mapToDouble(v -> of(v, start, want, got)).max().orElse(0);
  }

  private static double of(
      Variable variable,
      Map<Variable, Tensor> start,
      Map<Variable, Tensor> want,
      Map<Variable, Tensor> got) {
    double distance = difference(variable, want, got);
    double inKind =
        want.keySet().stream()
            .filter(v -> v.kind() == variable.kind())
            .mapToDouble(v -> difference(v, start, want))
            .max()
            .orElse(0);
    double scale = Math.max(difference(variable, start, want), SHARE * inKind);
    return distance == 0 ? 0 : distance / scale;
  }

  private static double difference(
      Variable variable, Map<Variable, Tensor> a, Map<Variable, Tensor> b) {
    Tensor one = SmallTraining.value(a, variable);
    Tensor other = SmallTraining.value(b, variable);
    double largest = 0;
    for (int i = 0; i < one.spec().size(); i++) {
      largest = Math.max(largest, Math.abs(one.at(i) - other.at(i)));
    }
    return largest;
  }
}
