package dev.halfcell.train;

import dev.halfcell.data.Batch;
import dev.halfcell.train.diagnosis.Offender;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What happens in training, as listeners are told it. Steps and epochs are counted from 1. */
public sealed interface TrainEvent {
  /**
   * An epoch begins.
   *
   * @param batches the steps that it has
   */
  record EpochStarted(int epoch, int epochs, int batches) implements TrainEvent {}

  /**
   * A step was taken.
   *
   * @param step steps taken since training began, this one included
   * @param samples the samples of its batch or batches
   * @param learningRate the rate that it used or, where it was refused, would have used
   * @param milliseconds from asking for its data to its result
   * @param dataWaitMilliseconds of these, what was waited for data that was not yet read
   */
  record StepTaken(
      long step,
      int epoch,
      int samples,
      StepResult result,
      double learningRate,
      double milliseconds,
      double dataWaitMilliseconds)
      implements TrainEvent {}

  /**
   * A batch overflowed and what first was not finite was found; told before the step's own event,
   * or before the training ends for it.
   *
   * @param step the step that the batch belongs to
   * @param batch the batch, whose values hold until the next one
   * @param result of the step; it was applied after all where the batch was tried again
   */
  record OffenderFound(long step, Offender offender, Batch batch, StepResult result)
      implements TrainEvent {}

  /**
   * An epoch is over.
   *
   * @param meanLoss the mean loss of its steps whose loss was finite; NaN where there was none
   * @param refused its steps that were refused
   * @param seconds from its first batch to its end, reading of data included
   */
  record EpochEnded(int epoch, double meanLoss, long samples, int refused, double seconds)
      implements TrainEvent {}

  /**
   * The network was measured when an epoch was over, after {@link EpochEnded} was told.
   *
   * @param values of the metrics by their names
   */
  record EpochMeasured(int epoch, Map<String, Double> values) implements TrainEvent {
    public EpochMeasured {
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  /**
   * The backend computes something in another way than it was to, told behind the first step at
   * which it is known and before that step's own event.
   *
   * @param message a line of {@link dev.halfcell.backend.Backend#notices}
   */
  record BackendNoticed(String message) implements TrainEvent {}
}
