package dev.halfcell.train.listener;

import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.TrainState;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Keeps something of the best epoch yet, such as its weights. Which one that is lies in the state
 * of the run and in its checkpoints: make this before one is restored. Of several on one state all
 * but one need names. One thread.
 *
 * <pre>{@code
 * Monitor loss = new Monitor(Monitor.TRAIN_LOSS, Monitor.Mode.MIN);
 * new BestEpoch(cell.state(), loss, () -> Weights.write(cell.state(), file));
 * }</pre>
 */
public final class BestEpoch implements TrainListener {
  private static final String KIND = "best";

  private final Monitor monitor;
  private final Runnable keep;
  private final WatchedNumber value;
  private final WatchedNumber epoch;

  /**
   * The best epoch of a run.
   *
   * @param keep called when an epoch is over that is better than all before it
   */
  public BestEpoch(TrainState state, Monitor monitor, Runnable keep) {
    this(state, "", monitor, keep);
  }

  /**
   * One of several, such as by another metric.
   *
   * @param name what tells it from the others in the state and in checkpoints; empty for one of
   *     them
   */
  public BestEpoch(TrainState state, String name, Monitor monitor, Runnable keep) {
    this.monitor = monitor;
    this.keep = keep;
    String watcher = WatchedNumber.watcher(KIND, name);
    this.value = WatchedNumber.in(state, watcher, "value", monitor.worst());
    this.epoch = WatchedNumber.in(state, watcher, "epoch", 0);
  }

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted _,
          TrainEvent.StepTaken _,
          TrainEvent.OffenderFound _,
          TrainEvent.BackendNoticed _ -> {}
      case TrainEvent.EpochEnded ended -> seen(event, ended.epoch());
      case TrainEvent.EpochMeasured measured -> seen(event, measured.epoch());
    }
  }

  @Override
  public Map<Variable, Tensor> moves() {
    return Map.of(value.variable(), value.tensor(), epoch.variable(), epoch.tensor());
  }

  private void seen(TrainEvent event, int at) {
    monitor
        .in(event)
        .ifPresent(
            now -> {
              if (monitor.better(now, value.value())) {
                value.set(now);
                epoch.set(at);
                keep.run();
              }
            });
  }

  /** The best epoch, counted from 1; none where no metric was seen yet. */
  public OptionalInt epoch() {
    int at = (int) epoch.value();
    return at == 0 ? OptionalInt.empty() : OptionalInt.of(at);
  }

  /** Its metric; the worst there is where none was seen yet. */
  public double value() {
    return value.value();
  }

  /** What epochs are compared by. */
  public Monitor monitor() {
    return monitor;
  }
}
