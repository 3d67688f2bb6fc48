package dev.halfcell.zoo.trajectory;

import dev.halfcell.train.StepResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

  /** The measure that uses most of what {@code bounds} allow: all are allowed if it is. */
  Measure worstWithin(Deviations bounds) {
    return Stream.of(
            new Measure("largest of a loss", worstLoss, bounds.worstLoss),
            new Measure("mean of the losses", meanLoss, bounds.meanLoss),
            new Measure("largest of a gradient norm", worstNorm, bounds.worstNorm))
        .max(Comparator.comparingDouble(Measure::share))
        .orElseThrow();
  }

  /** One of the three, beside its bound. */
  record Measure(String name, double deviation, double bound) {
    /** Whether it is a number and within the bound. */
    boolean allowed() {
      return deviation <= bound;
    }

    /** How much of the bound it uses; no number uses more than any. */
    private double share() {
      return Double.isNaN(deviation) ? Double.POSITIVE_INFINITY : deviation / bound;
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "relative to the golden steps: loss %.2e at most, %.2e in the mean, gradient norm %.2e",
        worstLoss,
        meanLoss,
        worstNorm);
  }
}
