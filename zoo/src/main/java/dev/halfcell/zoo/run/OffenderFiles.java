package dev.halfcell.zoo.run;

import dev.halfcell.amp.diagnosis.SavedBatch;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Differences;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.checkpoint.CheckpointNotes;
import java.nio.file.Path;
import java.util.Map;

/**
 * Keeps the last batch that overflowed, with the state that its step was computed on, so that it
 * can be run again. A batch that was tried again and applied has moved that state. One thread.
 */
record OffenderFiles(RunFolder folder, TrainState state) implements TrainListener {
  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.OffenderFound found -> {
        if (!found.result().applied()) {
          double scale = found.result().usedScale();
          Map<String, String> step = step(found.step());
          Checkpoint.write(state, step, folder.disk(), folder.offendingState());
          new SavedBatch(found.batch(), scale, found.step())
              .write(folder.disk(), folder.offendingBatch());
        }
      }
      case TrainEvent.EpochStarted _,
          TrainEvent.StepTaken _,
          TrainEvent.EpochEnded _,
          TrainEvent.EpochMeasured _,
          TrainEvent.BackendNoticed _ -> {}
    }
  }

  /** The notes of a state that the batch of this step overflowed on. */
  private static Map<String, String> step(long step) {
    return Map.of(CheckpointNotes.STEP, Long.toString(step));
  }

  /**
   * Reads what was kept of one step.
   *
   * @throws DataException where the files are of two steps: a run was ended between them
   */
  static SavedBatch read(RunFolder folder, TrainState state, TensorScope scope) {
    SavedBatch saved = SavedBatch.read(folder.offendingBatch(), scope);
    Path file = folder.offendingState();
    SafeTensors contents = SafeTensors.readChecked(folder.disk(), file, scope);
    Checkpoint.requireFormat(contents, file);
    String step = contents.metadata().getOrDefault(CheckpointNotes.STEP, "none");
    Differences differences =
        new Differences().compare(step(saved.step()), Map.of(CheckpointNotes.STEP, step));
    Checkpoint.read(state, contents, file, differences);
    return saved;
  }
}
