package dev.halfcell.train;

/**
 * What the steps of an epoch add up to.
 *
 * @param lossSum the sum of the losses that were finite
 * @param finiteLosses how many were
 * @param samples the samples of all steps
 * @param refused the steps that were refused
 * @param seconds the time they took, reading of data included
 */
public record EpochTotals(
    double lossSum, int finiteLosses, long samples, int refused, double seconds) {
  /** Those of no step. */
  public static EpochTotals none() {
    return new EpochTotals(0, 0, 0, 0, 0);
  }

  /** With another step, which took so many seconds. */
  public EpochTotals plus(TrainEvent.StepTaken taken, double time) {
    boolean finite = taken.result().lossFinite();
    return new EpochTotals(
        finite ? lossSum + taken.result().loss() : lossSum,
        finite ? finiteLosses + 1 : finiteLosses,
        samples + taken.samples(),
        taken.result().applied() ? refused : refused + 1,
        seconds + time);
  }

  /** The event of this epoch's end; epochs count from 1. */
  public TrainEvent.EpochEnded ended(int epoch) {
    return new TrainEvent.EpochEnded(epoch, lossSum / finiteLosses, samples, refused, seconds);
  }
}
