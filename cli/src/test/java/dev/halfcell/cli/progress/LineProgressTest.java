package dev.halfcell.cli.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.cli.Steps;
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
      progress.on(Steps.clean(1, 2.5, 1));
      progress.on(Steps.overflow(2, Double.NaN, 1));
      progress.on(Steps.clean(3, 1.5, 1));
      progress.on(new TrainEvent.EpochEnded(2, 2, 30, 1, 0.5));
    }
    assertEquals(
        "epoch 2/5  loss 2.0000  60 samples/s  scale 8  skipped 1  0.5 s\n", out.toString());
  }
}
