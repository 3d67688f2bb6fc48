package dev.halfcell.zoo.run;

import dev.halfcell.amp.diagnosis.SavedBatch;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.TrainState;
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
          Checkpoint.write(state, Map.of(), folder.disk(), folder.offendingState());
          new SavedBatch(found.batch(), scale, found.step())
              .write(folder.disk(), folder.offendingBatch());
        }
      }
      case TrainEvent.EpochStarted _,
          TrainEvent.StepTaken _,
          TrainEvent.EpochEnded _,
          TrainEvent.EpochMeasured _ -> {}
    }
  }
}
