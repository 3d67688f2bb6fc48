package dev.halfcell.zoo.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.diagnosis.Offender;
import dev.halfcell.zoo.log.LogFile;
import dev.halfcell.zoo.log.StepLog;
import java.nio.file.Path;
import tools.jackson.core.JsonGenerator;

/**
 * Writes {@code metrics.jsonl}: a JSON object on a line for each step, with the keys {@code step},
 * {@code epoch} (both from 1), {@code loss} (unscaled, of this batch), {@code scale} (that the step
 * was computed with), {@code overflow}, {@code tries} where a batch was tried again, {@code
 * applied}, {@code next_scale}, {@code lr}, {@code step_ms} and {@code data_wait_ms} (of these,
 * what was waited for data). A number that is not finite is written as null, for JSON has no other
 * word for it; {@code overflow} is true then. With diagnosis such a line has {@code first_offender}
 * too. What is measured when an epoch is over has a line of its own, with {@code epoch} and, where
 * a run evaluates, {@code test_accuracy} and {@code test_loss}; it has no {@code step}.
 *
 * <p>Lines reach the disk at the end of each epoch at the latest, and before each checkpoint. One
 * thread.
 */
public final class MetricsFile implements StepLog {
  private static final String SUBJECT = "run";

  private final LogFile to;

  /** A new file. */
  MetricsFile(Disk disk, Path file) {
    this(LogFile.create(SUBJECT, disk, file));
  }

  private MetricsFile(LogFile to) {
    this.to = to;
  }

  /** The file of a run that goes on: what lies behind the first {@code length} bytes is cut off. */
  static MetricsFile goOn(Disk disk, Path file, long length) {
    LogFile.Opening cut =
        () -> {
          try (MetricsBytes kept = MetricsBytes.open(disk, file, length)) {
            WholeFile.write(disk, file, kept::copyTo);
          }
          return disk.append(file);
        };
    return new MetricsFile(new LogFile(SUBJECT, file, length, cut));
  }

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted _, TrainEvent.OffenderFound _, TrainEvent.BackendNoticed _ -> {}
      case TrainEvent.StepTaken taken -> to.add((line(taken) + "\n").getBytes(UTF_8));
      case TrainEvent.EpochEnded _ -> to.flush();
      case TrainEvent.EpochMeasured measured -> {
        to.add((line(measured) + "\n").getBytes(UTF_8));
        to.flush();
      }
    }
  }

  @Override
  public long force() {
    return to.force();
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
          to.writeBooleanProperty("applied", taken.result().applied());
          JsonText.number(to, "next_scale", taken.result().nextScale());
          taken.result().firstOffender().ifPresent(offender -> offender(to, offender));
          JsonText.number(to, "lr", taken.learningRate());
          JsonText.number(to, "step_ms", taken.milliseconds());
          JsonText.number(to, "data_wait_ms", taken.dataWaitMilliseconds());
        });
  }

  private static String line(TrainEvent.EpochMeasured measured) {
    return JsonText.line(
        to -> {
          to.writeNumberProperty("epoch", measured.epoch());
          measured.values().forEach((name, value) -> JsonText.number(to, name, value));
        });
  }

  private static void offender(JsonGenerator to, Offender offender) {
    to.writeObjectPropertyStart("first_offender");
    to.writeStringProperty("path", offender.path().text());
    to.writeStringProperty("op", offender.op());
    to.writeStringProperty("direction", offender.direction().label());
    to.writeStringProperty("dtype", offender.spec().dtype().label());
    to.writeStringProperty("shape", offender.spec().shape().toString());
    to.writeStringProperty("kind", offender.values().nans() > 0 ? "nan" : "inf");
    JsonText.number(to, "min", offender.values().min());
    JsonText.number(to, "max", offender.values().max());
    JsonText.number(to, "zeros", offender.values().zeroShare());
    JsonText.number(to, "subnormals", offender.values().subnormalShare());
    JsonText.number(to, "non_finite", offender.values().nonFiniteShare());
    to.writeEndObject();
  }

  @Override
  public void close() {
    to.close();
  }
}
