package dev.halfcell.train;

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
   * @param milliseconds from handing over the batch to its result
   */
  record StepTaken(
      long step,
      int epoch,
      int samples,
      StepResult result,
      double learningRate,
      double milliseconds)
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
}
