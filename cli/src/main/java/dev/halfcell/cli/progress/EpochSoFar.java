package dev.halfcell.cli.progress;

import dev.halfcell.cli.text.Figures;
import dev.halfcell.train.TrainEvent;

/** What is known of an epoch while it runs, as a line. One thread. */
final class EpochSoFar {
  private final TrainEvent.EpochStarted started;
  private final long start = System.nanoTime();
  private double lossSum;
  private int finiteLosses;
  private long samples;
  private int steps;
  private int skipped;
  private double scale;

  EpochSoFar(TrainEvent.EpochStarted started) {
    this.started = started;
  }

  void add(TrainEvent.StepTaken taken) {
    steps++;
    samples += taken.samples();
    scale = taken.result().nextScale();
    if (!taken.result().applied()) {
      skipped++;
    }
    if (taken.result().lossFinite()) {
      lossSum += taken.result().loss();
      finiteLosses++;
    }
  }

  /** {@code epoch 2/5}. */
  String name() {
    return "epoch " + started.epoch() + "/" + started.epochs();
  }

  int batches() {
    return started.batches();
  }

  /** Tenths of the epoch that are over. */
  int tenths() {
    return 10 * steps / started.batches();
  }

  /** Mean loss, speed, loss scale and skipped steps so far, with {@code gap} between them. */
  String figures(String gap) {
    return figures(lossSum / finiteLosses, (System.nanoTime() - start) / 1e9, gap);
  }

  /** The same figures of the whole epoch. */
  String figures(TrainEvent.EpochEnded ended, String gap) {
    return figures(ended.meanLoss(), ended.seconds(), gap);
  }

  private String figures(double loss, double seconds, String gap) {
    return String.join(
        gap,
        "loss " + Figures.fixed(loss, 4),
        Figures.count(samples / seconds) + " samples/s",
        "scale " + Figures.plain(scale),
        "skipped " + skipped);
  }
}
