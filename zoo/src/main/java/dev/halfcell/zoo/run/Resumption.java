package dev.halfcell.zoo.run;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.EpochTotals;
import dev.halfcell.train.Progress;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.checkpoint.CheckpointFolder.Restored;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where a run goes on, and what is to be said of it. */
public final class Resumption {
  private final RunFolder folder;
  private final Optional<Restored> restored;
  private final long metricsBytes;
  private final List<TrainEvent.StepTaken> steps;
  private final List<String> lines;

  private Resumption(
      RunFolder folder,
      Optional<Restored> restored,
      long metricsBytes,
      List<TrainEvent.StepTaken> steps,
      List<String> lines) {
    this.folder = folder;
    this.restored = restored;
    this.metricsBytes = metricsBytes;
    this.steps = List.copyOf(steps);
    this.lines = List.copyOf(lines);
  }

  /** From what was restored; from the start where nothing had been saved. */
  static Resumption of(
      Optional<Restored> restored, RunFolder folder, Map<String, String> environment) {
    Path metrics = folder.metrics();
    long length = restored.map(Resumption::metricsBytes).orElse(0L);
    byte[] kept = MetricsRows.bytes(folder.disk(), metrics, length);
    List<TrainEvent.StepTaken> steps = MetricsRows.parse(kept, metrics);
    long last = steps.isEmpty() ? 0 : steps.getLast().step();
    long expected = restored.map(from -> from.notes().progress().step()).orElse(0L);
    require(last == expected, metrics, "step " + expected + " as the last", "step " + last);
    return new Resumption(folder, restored, length, steps, lines(restored, environment));
  }

  private static long metricsBytes(Restored from) {
    String text = from.notes().own().getOrDefault(RunCheckpoints.METRICS, "none");
    require(
        text.matches("\\d{1,18}"), from.file(), "a number as own." + RunCheckpoints.METRICS, text);
    return Long.parseLong(text);
  }

  private static void require(boolean holds, Path file, String expected, String got) {
    if (!holds) {
      throw new DataException(
          new Problem("resume", file.toString(), expected, got, "Resume an unchanged run."));
    }
  }

  private static List<String> lines(Optional<Restored> restored, Map<String, String> environment) {
    if (restored.isEmpty()) {
      return List.of("no checkpoint was saved: training begins anew");
    }
    List<String> lines = new ArrayList<>();
    restored
        .get()
        .damaged()
        .forEach(each -> lines.add("damaged: " + each.file() + ": " + each.why()));
    lines.add("goes on after step " + restored.get().notes().progress().step());
    List<String> other = restored.get().notes().environmentDiffers(environment);
    if (!other.isEmpty()) {
      lines.add("another environment, the same bits are not promised: " + String.join("; ", other));
    }
    return lines;
  }

  /** What is to be said: damaged checkpoints, the step, another environment. */
  public List<String> lines() {
    return lines;
  }

  /** The steps that were taken before. */
  public int steps() {
    return steps.size();
  }

  /**
   * The number of the last of them; 0 where there are none. Each try of a batch has a number of its
   * own, so that it can be more than their count.
   */
  public long lastStep() {
    return steps.isEmpty() ? 0 : steps.getLast().step();
  }

  /** The folder of the run. */
  RunFolder folder() {
    return folder;
  }

  /** What was restored; nothing where nothing had been saved. */
  Optional<Restored> restored() {
    return restored;
  }

  Optional<Progress> progress() {
    return restored.map(from -> from.notes().progress());
  }

  /** The metrics without the lines of later steps. */
  MetricsFile openMetrics() {
    return MetricsFile.goOn(folder.disk(), folder.metrics(), metricsBytes);
  }

  /** Tells of the steps that were taken before. */
  void tellSteps(TrainListener listener) {
    steps.forEach(listener::on);
  }

  /**
   * Tells listeners what happened until then, out of the metrics.
   *
   * @param stepsPerEpoch the steps of an epoch
   * @param samples those of an epoch
   */
  void tellPast(int epochs, int stepsPerEpoch, int samples, List<TrainListener> listeners) {
    EpochTotals totals = EpochTotals.none();
    for (int i = 0; i < steps.size(); i++) {
      int epoch = steps.get(i).epoch();
      boolean first = i == 0 || steps.get(i - 1).epoch() < epoch;
      boolean over = epoch < steps.getLast().epoch() || atEpochEnd();
      TrainEvent.StepTaken step =
          first ? with(steps.get(i), samplesOf(over, samples)) : steps.get(i);
      if (first) {
        tell(new TrainEvent.EpochStarted(epoch, epochs, stepsPerEpoch), listeners);
      }
      tell(step, listeners);
      totals = totals.plus(step, step.milliseconds() / 1000);
      if (over && (i + 1 == steps.size() || steps.get(i + 1).epoch() > epoch)) {
        tell(totals.ended(epoch), listeners);
        totals = EpochTotals.none();
      }
    }
  }

  private int samplesOf(boolean over, int wholeEpoch) {
    return over ? wholeEpoch : progress().map(at -> at.data().sample()).orElse(0);
  }

  /** The metrics do not say how many samples a step had; the first of an epoch stands for all. */
  private static TrainEvent.StepTaken with(TrainEvent.StepTaken step, int samples) {
    return new TrainEvent.StepTaken(
        step.step(),
        step.epoch(),
        samples,
        step.result(),
        step.learningRate(),
        step.milliseconds(),
        step.dataWaitMilliseconds());
  }

  private boolean atEpochEnd() {
    return progress().map(at -> at.data().sample() == 0).orElse(false);
  }

  private static void tell(TrainEvent event, List<TrainListener> listeners) {
    listeners.forEach(listener -> listener.on(event));
  }
}
