package dev.halfcell.train;

/** Adds up the steps of an epoch. */
final class EpochTotals {
  private final long start = System.nanoTime();
  private double lossSum;
  private int finiteLosses;
  private long samples;
  private int refused;

  void add(TrainEvent.StepTaken taken) {
    samples += taken.samples();
    if (!taken.result().applied()) {
      refused++;
    }
    if (taken.result().lossFinite()) {
      lossSum += taken.result().loss();
      finiteLosses++;
    }
  }

  TrainEvent.EpochEnded ended(int epoch) {
    double seconds = (System.nanoTime() - start) / 1e9;
    return new TrainEvent.EpochEnded(epoch, lossSum / finiteLosses, samples, refused, seconds);
  }
}
