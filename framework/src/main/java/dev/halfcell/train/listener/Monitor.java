package dev.halfcell.train.listener;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.TrainEvent;
import java.util.OptionalDouble;

/**
 * By what an epoch is better than another one.
 *
 * <p>Source: Keras and MindSpore, EarlyStopping (monitor, mode, min_delta).
 *
 * @param metric {@link #TRAIN_LOSS}, or the name under which it is measured when an epoch is over
 * @param mode which of two numbers is better
 * @param minDelta by more than this a better one has to be better
 */
public record Monitor(String metric, Mode mode, double minDelta) {
  /** The mean loss of an epoch's steps. */
  public static final String TRAIN_LOSS = "train_loss";

  /** Which of two numbers is better. */
  public enum Mode {
    /** The lower one, as of a loss. */
    MIN,
    /** The higher one, as of an accuracy. */
    MAX
  }

  public Monitor {
    ArgumentException.require(!metric.isBlank(), "metric", "a name", "'" + metric + "'");
    ArgumentException.require(
        minDelta >= 0 && Double.isFinite(minDelta),
        "minDelta",
        "a finite number of at least 0",
        minDelta);
  }

  /** The same without a least difference. */
  public Monitor(String metric, Mode mode) {
    this(metric, mode, 0);
  }

  /** What an event says of the metric; none where it says nothing of it. */
  OptionalDouble in(TrainEvent event) {
    return switch (event) {
      case TrainEvent.EpochEnded ended when metric.equals(TRAIN_LOSS) ->
          OptionalDouble.of(ended.meanLoss());
      case TrainEvent.EpochMeasured measured when measured.values().containsKey(metric) ->
          OptionalDouble.of(measured.values().getOrDefault(metric, Double.NaN));
      case TrainEvent.EpochStarted _,
          TrainEvent.StepTaken _,
          TrainEvent.OffenderFound _,
          TrainEvent.EpochEnded _,
          TrainEvent.EpochMeasured _,
          TrainEvent.BackendNoticed _ ->
          OptionalDouble.empty();
    };
  }

  /** What any number is better than. */
  double worst() {
    return mode == Mode.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  /** Whether one is better than the best yet. NaN is better than none. */
  boolean better(double value, double best) {
    return mode == Mode.MIN ? value < best - minDelta : value > best + minDelta;
  }
}
