package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.diagnosis.Offender;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Trains a network, measures it and predicts with it. Listeners are told what happens in training.
 * Where a step takes several batches, the last one of an epoch takes those that are left. What a
 * listener throws ends the training and reaches the caller as it is. One thread at a time. Closing
 * it frees what was compiled to measure and to predict; loop and batches are the caller's.
 *
 * <pre>{@code
 * try (Trainer trainer = new Trainer(cell.loop(), batches, optimizer.learningRate(), List.of())) {
 *   trainer.fit(5, () -> false);
 *   Map<String, Double> found = trainer.evaluate(test, 64, new Accuracy(), new Loss(loss));
 *   Tensor logits = trainer.predict(images);
 * }
 * }</pre>
 *
 * <p>Source: MindSpore, Model.train, Model.eval and Model.predict.
 */
public final class Trainer implements AutoCloseable {
  private final TrainLoop loop;
  private final BatchCursor cursor;
  private final Schedule learningRate;
  private final List<TrainListener> listeners;
  private Optional<Offender> told = Optional.empty();
  private long waited;
  private int noticed;
  private EpochMetric metric = TrainEvent.EpochEnded::meanLoss;
  private Consumer<Progress> pause = _ -> {};
  private EpochTotals totals = EpochTotals.none();
  private Measurement measurement = _ -> Map.of();
  private Optional<Inference> inference = Optional.empty();

  /** What a plateau schedule looks at when an epoch is over; the lower, the better. */
  @FunctionalInterface
  public interface EpochMetric {
    /** The metric of this epoch, such as a loss over data that is not trained on. */
    double of(TrainEvent.EpochEnded ended);
  }

  /** What is measured when an epoch is over. */
  @FunctionalInterface
  public interface Measurement {
    /** The metrics by name, epochs counted from 1; none where this one is left out. */
    Map<String, Double> of(int epoch);
  }

  /**
   * A trainer that takes the steps of {@code loop} on the batches of {@code cursor}.
   *
   * @param learningRate the optimizer's, to be told to the listeners
   * @throws UsageException where two listeners move the same values of a state
   */
  public Trainer(
      TrainLoop loop, BatchCursor cursor, Schedule learningRate, List<TrainListener> listeners) {
    this.loop = loop;
    this.cursor = cursor;
    this.learningRate = learningRate;
    this.listeners = List.copyOf(listeners);
    requireApart(this.listeners);
  }

  /** Each of two would take what the other one saw for its own. */
  private static void requireApart(List<TrainListener> listeners) {
    Set<Tensor> moved = new HashSet<>();
    for (TrainListener listener : listeners) {
      for (Map.Entry<Variable, Tensor> own : listener.moves().entrySet()) {
        if (!moved.add(own.getValue())) {
          throw new UsageException(
              new Problem(
                  "listeners",
                  own.getKey().path().text(),
                  "one listener that moves this value",
                  "a second one, of " + listener.getClass().getSimpleName(),
                  "Give one of them a name of its own, or pass it once."));
        }
      }
    }
  }

  /**
   * Has a plateau schedule look at {@code other} rather than at the mean training loss. It is asked
   * after the listeners were told that the epoch is over.
   */
  public Trainer watching(EpochMetric other) {
    metric = other;
    return this;
  }

  /** Measures the network whenever an epoch is over, and tells the listeners. */
  public Trainer measuring(Measurement at) {
    measurement = at;
    return this;
  }

  /**
   * Trains until {@code epochs} epochs are over, counted from the cursor's start.
   *
   * @param stop asked before each step; training ends early where it says yes
   * @return whether all epochs were completed
   * @throws dev.halfcell.tensor.NonFiniteException where the rules of the step end the training
   */
  public boolean fit(int epochs, BooleanSupplier stop) {
    ArgumentException.require(epochs >= 1, "epochs", "at least 1", epochs);
    while (cursor.epoch() < epochs) {
      if (stop.getAsBoolean() || !epoch(epochs, stop)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Measures the network as it is now, without its loss, on all samples of {@code data}.
   *
   * @param batchSize the samples computed at a time, at most
   * @return the value of each metric by its name
   */
  public SequencedMap<String, Double> evaluate(DataSet data, int batchSize, Metric... metrics) {
    return Evaluation.of(inference(), data, batchSize, metrics);
  }

  /**
   * The output for a batch of data of the network as it is now, without its loss; valid until the
   * next call of this or {@link #evaluate}.
   */
  public Tensor predict(Tensor... data) {
    return inference().run(data);
  }

  private Inference inference() {
    if (inference.isEmpty()) {
      inference = Optional.of(loop.inference());
    }
    return inference.get();
  }

  /**
   * Goes on where another trainer was when it said that, on the state as it was then. The epoch
   * that was open is told to begin again, without the steps that were taken.
   */
  public Trainer resume(Progress from) {
    cursor.goTo(from.data());
    totals = from.totals();
    return this;
  }

  /**
   * Calls {@code between} after each step, and after the end of an epoch was told and looked at: a
   * checkpoint that it writes is one to go on from.
   */
  public Trainer pausing(Consumer<Progress> between) {
    pause = between;
    return this;
  }

  /** Where it stands; not to be asked by a listener, for whom a step is not over. */
  public Progress progress() {
    return new Progress(seen(), cursor.position(), totals);
  }

  private long seen() {
    return (long) loop.own().read(Variable.seen()).item();
  }

  private boolean epoch(int epochs, BooleanSupplier stop) {
    int epoch = cursor.epoch();
    long start = System.nanoTime();
    int steps = loop.step().accumulation().steps(cursor.batchesPerEpoch());
    tell(new TrainEvent.EpochStarted(epoch + 1, epochs, steps));
    do {
      TrainEvent.StepTaken taken = step(epoch + 1);
      long now = System.nanoTime();
      totals = totals.plus(taken, (now - start) / 1e9);
      start = now;
      tellNotices();
      tell(taken);
      boolean ended = cursor.epoch() > epoch;
      if (ended) {
        ended(epoch + 1);
      }
      pause.accept(progress());
      if (ended) {
        return true;
      }
    } while (!stop.getAsBoolean());
    return false;
  }

  private void ended(int epoch) {
    TrainEvent.EpochEnded ended = totals.ended(epoch);
    totals = EpochTotals.none();
    tell(ended);
    Map<String, Double> measured = measurement.of(epoch);
    if (!measured.isEmpty()) {
      tell(new TrainEvent.EpochMeasured(epoch, measured));
    }
    learningRate
        .plateau()
        .ifPresent(rule -> PlateauWatch.epochEnded(loop.own(), rule, metric.of(ended)));
  }

  private TrainEvent.StepTaken step(int epoch) {
    double rate = PlateauWatch.rate(loop.own(), learningRate);
    long start = System.nanoTime();
    waited = 0;
    int running = cursor.epoch();
    Batch batch = nextBatch();
    int samples = batch.size();
    StepResult result = taken(batch);
    while (loop.microBatches() > 0 && cursor.epoch() == running) {
      batch = nextBatch();
      samples += batch.size();
      result = taken(batch);
    }
    result = loop.endWindow().orElse(result);
    double milliseconds = (System.nanoTime() - start) / 1e6;
    return new TrainEvent.StepTaken(
        seen(), epoch, samples, result, rate, milliseconds, waited / 1e6);
  }

  private Batch nextBatch() {
    long start = System.nanoTime();
    Batch batch = cursor.next();
    waited += System.nanoTime() - start;
    return batch;
  }

  /** Of the batch that fills a window the result names what an earlier one was told of. */
  private StepResult taken(Batch batch) {
    try {
      StepResult result = loop.step(batch, cursor::upcoming);
      tellOffender(batch, result);
      return result;
    } catch (NonFiniteException ended) {
      loop.fatal().ifPresent(result -> tellOffender(batch, result));
      throw ended;
    }
  }

  private void tellOffender(Batch batch, StepResult result) {
    Optional<Offender> found = result.firstOffender().filter(o -> !told.equals(Optional.of(o)));
    found.ifPresent(o -> tell(new TrainEvent.OffenderFound(o.step(), o, batch, result)));
    told = found.or(() -> told);
  }

  private void tellNotices() {
    List<String> notices = loop.notices();
    for (; noticed < notices.size(); noticed++) {
      tell(new TrainEvent.BackendNoticed(notices.get(noticed)));
    }
  }

  private void tell(TrainEvent event) {
    listeners.forEach(listener -> listener.on(event));
  }

  @Override
  public void close() {
    inference.ifPresent(Inference::close);
  }
}
