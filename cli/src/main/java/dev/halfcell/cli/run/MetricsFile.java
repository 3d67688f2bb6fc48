package dev.halfcell.cli.run;

import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes {@code metrics.jsonl}: a JSON object on a line for each step, with the keys {@code step},
 * {@code epoch} (both from 1), {@code loss} (unscaled, of this batch), {@code scale} (that the step
 * was computed with), {@code overflow}, {@code tries} where a batch was tried again, {@code lr} and
 * {@code step_ms}. A number that is not finite is written as null, for JSON has no other word for
 * it; {@code overflow} is true then.
 *
 * <p>Lines reach the disk at the end of each epoch at the latest. One thread.
 */
public final class MetricsFile implements TrainListener, AutoCloseable {
  private final Path file;
  private final Writer writer;

  MetricsFile(Path file) {
    this.file = file;
    try {
      this.writer = Files.newBufferedWriter(file);
    } catch (IOException e) {
      throw UnwritableFile.because(file, e);
    }
  }

  @Override
  public void on(TrainEvent event) {
    try {
      switch (event) {
        case TrainEvent.EpochStarted _ -> {}
        case TrainEvent.StepTaken taken -> writer.write(line(taken) + "\n");
        case TrainEvent.EpochEnded _ -> writer.flush();
      }
    } catch (IOException e) {
      throw UnwritableFile.because(file, e);
    }
  }

  private static String line(TrainEvent.StepTaken taken) {
    return JsonText.line(
        to -> {
          to.writeNumberProperty("step", taken.step());
          to.writeNumberProperty("epoch", taken.epoch());
          JsonText.number(to, "loss", taken.result().loss());
          JsonText.number(to, "scale", taken.result().usedScale());
          to.writeBooleanProperty("overflow", taken.result().overflow());
          if (taken.result().tries() > 1) {
            to.writeNumberProperty("tries", taken.result().tries());
          }
          JsonText.number(to, "lr", taken.learningRate());
          JsonText.number(to, "step_ms", taken.milliseconds());
        });
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException e) {
      throw UnwritableFile.because(file, e);
    }
  }
}
