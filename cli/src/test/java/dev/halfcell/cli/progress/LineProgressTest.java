package dev.halfcell.cli.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class LineProgressTest {
  @Test
  void aShortEpochHasOneLine() {
    StringWriter out = new StringWriter();
    try (Progress progress = Progress.on(new PrintWriter(out), false)) {
      progress.on(new TrainEvent.EpochStarted(2, 5, 3));
      progress.on(taken(1, 2.5, true));
      progress.on(taken(2, Double.NaN, false));
      progress.on(taken(3, 1.5, true));
      progress.on(new TrainEvent.EpochEnded(2, 2, 30, 1, 0.5));
    }
    assertEquals(
        "epoch 2/5  loss 2.0000  60 samples/s  scale 8  skipped 1  0.5 s\n", out.toString());
  }

  /** A step on 10 samples at scale 8. */
  private static TrainEvent.StepTaken taken(long step, double loss, boolean clean) {
    StepResult result = new StepResult(loss, !clean, 8, 8, clean, 1);
    return new TrainEvent.StepTaken(step, 1, 10, result, 0.01, 1, 0);
  }
}
