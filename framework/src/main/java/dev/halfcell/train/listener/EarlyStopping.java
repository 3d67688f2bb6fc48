package dev.halfcell.train.listener;

import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.TrainState;
import java.util.Map;

/**
 * Says when a training has stopped getting better: when as many epochs in a row as its patience had
 * a metric that is no better than the best before them. Epochs whose metric is not measured do not
 * count; one whose metric is NaN is no better. What it has seen lies in the state of the run and in
 * its checkpoints: make it before one is restored. Of several on one state all but one need names.
 * One thread.
 *
 * <pre>{@code
 * Monitor accuracy = new Monitor("accuracy", Monitor.Mode.MAX);
 * EarlyStopping early = new EarlyStopping(cell.state(), accuracy, 3);
 * Trainer trainer = new Trainer(cell.loop(), batches, rate, List.of(early));
 * trainer.measuring(epoch -> measured()).fit(100, early::reached);
 * }</pre>
 *
 * <p>Source: Keras and MindSpore, EarlyStopping (patience).
 */
public final class EarlyStopping implements TrainListener {
  private static final String KIND = "early_stopping";

  private final Monitor monitor;
  private final int patience;
  private final WatchedNumber best;
  private final WatchedNumber waited;

  /**
   * Early stopping of a run.
   *
   * @param patience the epochs in a row that end the training where none is better
   */
  public EarlyStopping(TrainState state, Monitor monitor, int patience) {
    this(state, "", monitor, patience);
  }

  /**
   * One of several.
   *
   * @param name what tells it from the others in the state and in checkpoints; empty for one of
   *     them
   */
  public EarlyStopping(TrainState state, String name, Monitor monitor, int patience) {
    ArgumentException.require(patience >= 1, "patience", "at least 1", patience);
    this.monitor = monitor;
    this.patience = patience;
    String watcher = WatchedNumber.watcher(KIND, name);
    this.best = WatchedNumber.in(state, watcher, "best", monitor.worst());
    this.waited = WatchedNumber.in(state, watcher, "waited", 0);
  }

  @Override
  public void on(TrainEvent event) {
    monitor.in(event).ifPresent(this::seen);
  }

  @Override
  public Map<Variable, Tensor> moves() {
    return Map.of(best.variable(), best.tensor(), waited.variable(), waited.tensor());
  }

  private void seen(double value) {
    if (monitor.better(value, best.value())) {
      best.set(value);
      waited.set(0);
    } else {
      waited.set(waited.value() + 1);
    }
  }

  /** Whether the training is to end. */
  public boolean reached() {
    return waited.value() >= patience;
  }
}
