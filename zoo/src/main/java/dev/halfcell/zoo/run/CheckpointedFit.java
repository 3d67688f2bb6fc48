package dev.halfcell.zoo.run;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.Trainer;
import dev.halfcell.train.checkpoint.CheckpointFolder;
import dev.halfcell.zoo.host.Environment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Trains a cell and saves checkpoints meanwhile. One thread.
 *
 * @param learningRate the optimizer's
 * @param folder where checkpoints go
 * @param run what the run is
 */
record CheckpointedFit(
    TrainStepCell train,
    BatchCursor batches,
    Schedule learningRate,
    CheckpointRule rule,
    CheckpointFolder folder,
    Map<String, String> run) {
  /**
   * The newest usable checkpoint, read into the cell's state.
   *
   * @param files the folder of the run
   */
  Resumption restore(RunFolder files) {
    return Resumption.of(
        folder.restore(train.state(), run), files, Environment.with(train.backend()));
  }

  /**
   * Trains until so many epochs are over or {@code stop} says so.
   *
   * @param from where it goes on, on the state as it was then
   * @param measurement what is measured when an epoch is over
   * @return where it was stopped, the checkpoint of its state
   */
  Optional<Path> fit(
      int epochs,
      RunLogs logs,
      Optional<Resumption> from,
      Trainer.Measurement measurement,
      List<TrainListener> listeners,
      BooleanSupplier stop) {
    List<TrainListener> all = new ArrayList<>(logs.listeners());
    all.addAll(listeners);
    Trainer trainer = new Trainer(train.loop(), batches, learningRate, all).measuring(measurement);
    from.flatMap(Resumption::progress).ifPresent(trainer::resume);
    RunCheckpoints checkpoints = checkpoints(logs);
    from.flatMap(Resumption::restored).ifPresent(checkpoints::from);
    return trainer.pausing(checkpoints).fit(epochs, stop)
        ? Optional.empty()
        : Optional.of(checkpoints.last(trainer.progress()));
  }

  private RunCheckpoints checkpoints(RunLogs logs) {
    return new RunCheckpoints(
        rule,
        notes -> folder.save(train.state(), notes),
        logs::force,
        run,
        Environment.with(train.backend()),
        train.loop()::nearEnd,
        System::nanoTime);
  }
}
