package dev.halfcell.zoo.run;

import dev.halfcell.disk.Disk;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Events of trainings that never ran. */
final class Steps {
  private Steps() {}

  /** A clean step on 10 samples at scale 8. */
  static TrainEvent.StepTaken clean(long step, double loss, double milliseconds) {
    return new TrainEvent.StepTaken(
        step,
        1,
        10,
        new StepResult(loss, false, 8, 8, true, 1),
        0.01,
        milliseconds,
        milliseconds / 8);
  }

  /** A refused step on 10 samples, which halves the scale 8. */
  static TrainEvent.StepTaken overflow(long step, double loss, double milliseconds) {
    StepResult result = new StepResult(loss, true, 8, 4, false, Double.NaN);
    return new TrainEvent.StepTaken(step, 1, 10, result, 0.01, milliseconds, milliseconds / 8);
  }

  /** Those in a file of metrics. */
  static List<TrainEvent.StepTaken> in(Path file) throws IOException {
    List<TrainEvent.StepTaken> steps = new ArrayList<>();
    MetricsRows.read(Disk.local(), file, Files.size(file), steps::add);
    return steps;
  }
}
