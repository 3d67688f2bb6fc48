package dev.halfcell.rest.worker;

import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;

/**
 * What the log of a job says of its training: where it began, each epoch, what overflowed first,
 * how it ended. Steps are in the job's series, which is no log.
 */
final class TrainingLog implements TrainListener {
  private final Consumer<String> lines;
  private long steps;

  /** One that gives its lines to somebody. */
  TrainingLog(Consumer<String> lines) {
    this.lines = lines;
  }

  /** The training begins behind the step of this number; 0 where there is none. */
  void begins(long last) {
    steps = last;
    lines.accept(last == 0 ? "the training begins" : "the training goes on after step " + last);
  }

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted started ->
          say(
              "epoch %d of %d begins, %d batches",
              started.epoch(), started.epochs(), started.batches());
      case TrainEvent.StepTaken taken -> steps = taken.step();
      case TrainEvent.OffenderFound found ->
          say("step %d overflowed; first offender: %s", found.step(), found.offender().text());
      case TrainEvent.EpochEnded ended ->
          say(
              "epoch %d ended after step %d: mean loss %.6g, %d steps refused, %.1f s",
              ended.epoch(), steps, ended.meanLoss(), ended.refused(), ended.seconds());
      case TrainEvent.EpochMeasured measured ->
          say("epoch %d measured: %s", measured.epoch(), values(measured.values()));
      case TrainEvent.BackendNoticed noticed -> lines.accept(noticed.message());
    }
  }

  private static String values(Map<String, Double> values) {
    StringJoiner text = new StringJoiner(", ");
    values.forEach((name, value) -> text.add(String.format(Locale.ROOT, "%s %.6g", name, value)));
    return text.toString();
  }

  /** The training came to an end of its own. */
  void ends(FromWorker.End end) {
    switch (end) {
      case FromWorker.Completed completed ->
          say("the training is complete after step %d", completed.steps());
      case FromWorker.Stopped stopped ->
          say(
              "the training was stopped after step %d; its state is in %s",
              stopped.steps(), stopped.checkpoint());
      case FromWorker.Failed failed -> say("the training failed: %s", failed.detail());
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // that would be a dependency for one private method
  private void say(String form, Object... values) {
    lines.accept(String.format(Locale.ROOT, form, values));
  }
}
