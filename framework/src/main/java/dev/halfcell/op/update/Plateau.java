package dev.halfcell.op.update;

import dev.halfcell.tensor.ArgumentException;
import java.util.Optional;

/**
 * Another schedule times a factor that falls when a metric has stopped falling. The factor and what
 * has been seen of the metric are data in the state of a run; the host moves them between epochs by
 * {@link #next}, and the op {@link LearningRate} multiplies by the factor.
 *
 * <p>Source: PyTorch, ReduceLROnPlateau (mode min, relative threshold); the threshold is relative
 * to the magnitude here, so that a negative metric has to fall too.
 *
 * @param schedule what the factor is applied to
 * @param factor what it is multiplied by
 * @param patience the epochs in a row that may bring nothing without that
 * @param threshold the share of the best metric's magnitude by which a better one has to be lower
 * @param least what the factor does not fall below
 */
public record Plateau(
    Schedule schedule, double factor, int patience, double threshold, double least)
    implements Schedule {
  public Plateau {
    ArgumentException.require(
        schedule.plateau().isEmpty(), "plateau", "a schedule that is none", schedule);
    ArgumentException.require(
        factor > 0 && factor < 1, "plateau factor", "above 0 and below 1", factor);
    ArgumentException.require(patience >= 0, "plateau patience", "at least 0", patience);
    ArgumentException.require(
        threshold >= 0 && threshold < 1, "plateau threshold", "at least 0 and below 1", threshold);
    ArgumentException.require(least >= 0 && least <= 1, "least plateau factor", "0 to 1", least);
  }

  /** From {@code rate}, a tenth whenever more than 10 epochs in a row were not better by 1e-4. */
  public Plateau(double rate) {
    this(new Constant(rate), 0.1, 10, 1e-4, 0);
  }

  /**
   * What has been seen.
   *
   * @param factor what the rate is multiplied by
   * @param best the lowest metric yet
   * @param waited epochs in a row that were not better
   */
  public record State(double factor, double best, long waited) {
    /** Nothing yet. */
    public static State start() {
      return new State(1, Double.POSITIVE_INFINITY, 0);
    }
  }

  /** The state after an epoch with this metric. One that is NaN is no better than any. */
  public State next(State now, double metric) {
    double margin = Double.isInfinite(now.best()) ? 0 : threshold * Math.abs(now.best());
    if (metric < now.best() - margin) {
      return new State(now.factor(), metric, 0);
    }
    return now.waited() < patience
        ? new State(now.factor(), now.best(), now.waited() + 1)
        : new State(Math.max(least, now.factor() * factor), now.best(), 0);
  }

  @Override
  public double rate(long applied) {
    return schedule.rate(applied);
  }

  @Override
  public Optional<Plateau> plateau() {
    return Optional.of(this);
  }
}
