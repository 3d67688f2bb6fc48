package dev.halfcell.zoo.trajectory;

import dev.halfcell.train.StepResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How far steps went from those that they are compared with, or how far they may go: relative
 * deviations |got − wanted| / |wanted|.
 *
 * @param firstLoss that of the first loss
 * @param worstLoss the largest of a loss
 * @param meanLoss the mean of those of all losses
 * @param firstNorm that of the first gradient norm
 * @param worstNorm the largest of a gradient norm
 */
record Deviations(
    double firstLoss, double worstLoss, double meanLoss, double firstNorm, double worstNorm) {
  /** Bounds of losses and of gradient norms, of which the first steps have no closer ones. */
  Deviations(double worstLoss, double meanLoss, double worstNorm) {
    this(worstLoss, worstLoss, meanLoss, worstNorm, worstNorm);
  }

  /** Those of steps, one for each that is wanted; NaN where a result is no number. */
  static Deviations of(List<StepResult> wanted, List<StepResult> got) {
    return of(each(wanted, StepResult::loss), each(wanted, StepResult::gradientNorm), got);
  }

  /** Those of steps, one for each step of the trajectory; NaN where a result is no number. */
  static Deviations of(Trajectory wanted, List<StepResult> got) {
    return of(wanted.losses(), wanted.gradientNorms(), got);
  }

  private static Deviations of(List<Double> losses, List<Double> norms, List<StepResult> got) {
    double[] loss = relative(losses, each(got, StepResult::loss));
    double[] norm = relative(norms, each(got, StepResult::gradientNorm));
    return new Deviations(
        loss[0], worst(loss), DoubleStream.of(loss).average().orElse(0), norm[0], worst(norm));
  }

  private static List<Double> each(List<StepResult> steps, Function<StepResult, Double> of) {
    return steps.stream().map(of).toList();
  }

  private static double[] relative(List<Double> wanted, List<Double> got) {
    return IntStream.range(0, wanted.size())
        .mapToDouble(step -> Math.abs(got.get(step) / wanted.get(step) - 1))
        .toArray();
  }

  private static double worst(double[] deviations) {
    return DoubleStream.of(deviations).reduce(0, Math::max);
  }

  /** These bounds for steps whose losses, and norms, may go that much further after the first. */
  Deviations widened(double losses, double norms) {
    return new Deviations(
        firstLoss, worstLoss + losses, meanLoss + losses, firstNorm, worstNorm + norms);
  }

  /** The measure that uses most of what {@code bounds} allow: all are allowed if it is. */
  Measure worstWithin(Deviations bounds) {
    return Stream.of(
            new Measure("the first loss", firstLoss, bounds.firstLoss),
            new Measure("largest of a loss", worstLoss, bounds.worstLoss),
            new Measure("mean of the losses", meanLoss, bounds.meanLoss),
            new Measure("the first gradient norm", firstNorm, bounds.firstNorm),
            new Measure("largest of a gradient norm", worstNorm, bounds.worstNorm))
        .max(Comparator.comparingDouble(Measure::share))
        .orElseThrow();
  }

  /** One of them, beside its bound. */
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
        "relative: loss %.2e first, %.2e at most, %.2e in the mean; gradient norm %.2e first, %.2e at"
            + " most",
        firstLoss,
        worstLoss,
        meanLoss,
        firstNorm,
        worstNorm);
  }
}
