package dev.halfcell.zoo.run;

import dev.halfcell.train.EpochTotals;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.util.Arrays;

/**
 * Adds up the steps of a run. One thread.
 *
 * <p>{@link #samplesPerSecond} is samples over the seconds of the epochs by the clock, reading of
 * data included; {@link #medianMilliseconds} is the median over all steps of the time from handing
 * over a batch to its result.
 */
public final class RunTotals implements TrainListener {
  private double[] milliseconds = new double[1024];
  private int steps;
  private int epochs;
  private int overflows;
  private int refused;
  private int scaleChanges;
  private long samples;
  private double seconds;
  private double scale = 1;
  private double epochLoss = Double.NaN;

  /** Of an epoch whose end is not known: a run of so many steps may stop within one. */
  private EpochTotals epoch = EpochTotals.none();

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.OffenderFound _, TrainEvent.EpochMeasured _, TrainEvent.BackendNoticed _ -> {}
      case TrainEvent.EpochStarted _ -> epoch = EpochTotals.none();
      case TrainEvent.StepTaken taken -> {
        add(taken);
        epoch = epoch.plus(taken, taken.milliseconds() / 1e3);
      }
      case TrainEvent.EpochEnded ended -> {
        epoch = EpochTotals.none();
        epochs++;
        samples += ended.samples();
        seconds += ended.seconds();
        epochLoss = ended.meanLoss();
      }
    }
  }

  private void add(TrainEvent.StepTaken taken) {
    if (steps == milliseconds.length) {
      milliseconds = Arrays.copyOf(milliseconds, 2 * steps);
    }
    milliseconds[steps++] = taken.milliseconds();
    overflows += taken.result().overflow() ? 1 : 0;
    refused += taken.result().applied() ? 0 : 1;
    // A batch is tried again only at another scale; the last try may leave that as it is.
    boolean moved =
        taken.result().tries() > 1 || taken.result().nextScale() != taken.result().usedScale();
    scaleChanges += moved ? 1 : 0;
    scale = taken.result().nextScale();
  }

  /** Steps taken, refused ones included. */
  public int steps() {
    return steps;
  }

  /** Epochs that were completed. */
  public int epochs() {
    return epochs;
  }

  /** Steps that were refused because the loss or a gradient was not finite. */
  public int overflows() {
    return overflows;
  }

  /** Steps that moved no parameter. */
  public int refused() {
    return refused;
  }

  /** Steps that moved the loss scale. */
  public int scaleChanges() {
    return scaleChanges;
  }

  /** The loss scale after the last step. */
  public double scale() {
    return scale;
  }

  /** The mean loss of the last epoch, completed or not, over its steps whose loss was finite. */
  public double lastEpochLoss() {
    return epoch.samples() == 0 ? epochLoss : epoch.lossSum() / epoch.finiteLosses();
  }

  /** Samples over the seconds of their epochs. */
  public double samplesPerSecond() {
    return (samples + epoch.samples()) / (seconds + epoch.seconds());
  }

  /** The median time of a step; NaN before the first. */
  public double medianMilliseconds() {
    if (steps == 0) {
      return Double.NaN;
    }
    double[] sorted = Arrays.copyOf(milliseconds, steps);
    Arrays.sort(sorted);
    return (sorted[(steps - 1) / 2] + sorted[steps / 2]) / 2;
  }
}
