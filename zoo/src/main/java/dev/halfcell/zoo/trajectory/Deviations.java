package dev.halfcell.zoo.trajectory;

import dev.halfcell.train.StepResult;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How far a run went from a trajectory, or how far it may go: relative deviations |got − wanted| /
 * |wanted|.
 *
 * @param worstLoss the largest of a loss
 * @param meanLoss the mean of those of all losses
 * @param worstNorm the largest of a gradient norm
 */
record Deviations(double worstLoss, double meanLoss, double worstNorm) {
  /** Those of steps, one for each step of the trajectory; NaN where a result is no number. */
  static Deviations of(Trajectory wanted, List<StepResult> got) {
    double[] losses = relative(wanted.losses(), got, StepResult::loss);
    double[] norms = relative(wanted.gradientNorms(), got, StepResult::gradientNorm);
    return new Deviations(worst(losses), DoubleStream.of(losses).average().orElse(0), worst(norms));
  }

  private static double[] relative(
      List<Double> wanted, List<StepResult> got, ToDoubleFunction<StepResult> of) {
    return IntStream.range(0, wanted.size())
        .mapToDouble(step -> Math.abs(of.applyAsDouble(got.get(step)) / wanted.get(step) - 1))
        .toArray();
  }

  private static double worst(double[] deviations) {
    return DoubleStream.of(deviations).reduce(0, Math::max);
  }
}
