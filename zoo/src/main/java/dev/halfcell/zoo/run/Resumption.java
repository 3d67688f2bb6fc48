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
import java.util.OptionalInt;

/** Where a run goes on, and what is to be said of it. */
public final class Resumption {
  private final RunFolder folder;
  private final Optional<Restored> restored;
  private final long metricsBytes;
  private final Taken taken;
  private final List<String> lines;

  /** How many steps there were, and the last of them: of a long run all do not fit in the heap. */
  private static final class Taken {
    private int steps;
    private long last;
    private int epoch;

    void add(TrainEvent.StepTaken step) {
      steps++;
      last = step.step();
      epoch = step.epoch();
    }
  }

  private Resumption(
      RunFolder folder,
      Optional<Restored> restored,
      long metricsBytes,
      Taken taken,
      List<String> lines) {
    this.folder = folder;
    this.restored = restored;
    this.metricsBytes = metricsBytes;
    this.taken = taken;
    this.lines = List.copyOf(lines);
  }

  /** From what was restored; from the start where nothing had been saved. */
  static Resumption of(
      Optional<Restored> restored, RunFolder folder, Map<String, String> environment) {
    Path metrics = folder.metrics();
    long length = restored.map(Resumption::metricsBytes).orElse(0L);
    Taken taken = new Taken();
    MetricsRows.read(folder.disk(), metrics, length, taken::add);
    long last = taken.last;
    long expected = restored.map(from -> from.notes().progress().step()).orElse(0L);
    require(last == expected, metrics, "step " + expected + " as the last", "step " + last);
    return new Resumption(folder, restored, length, taken, lines(restored, environment));
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
    return taken.steps;
  }

  /**
   * The number of the last of them; 0 where there are none. Each try of a batch has a number of its
   * own, so that it can be more than their count.
   */
  public long lastStep() {
    return taken.last;
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

  /** Tells of the steps that were taken before, as they are read. */
  void tellSteps(TrainListener listener) {
    MetricsRows.read(folder.disk(), folder.metrics(), metricsBytes, listener::on);
  }

  /**
   * Tells listeners what happened until then, out of the metrics, as they are read.
   *
   * @param stepsPerEpoch the steps of an epoch
   * @param samples those of an epoch
   */
  void tellPast(int epochs, int stepsPerEpoch, int samples, List<TrainListener> listeners) {
    Past past = new Past(epochs, stepsPerEpoch, samples, listeners);
    MetricsRows.read(folder.disk(), folder.metrics(), metricsBytes, past::step);
    past.endEpoch();
  }

  /** Tells of steps, and of the epochs around them. */
  private final class Past {
    private final int epochs;
    private final int stepsPerEpoch;
    private final int samples;
    private final List<TrainListener> listeners;
    private OptionalInt epoch = OptionalInt.empty();
    private EpochTotals totals = EpochTotals.none();

    Past(int epochs, int stepsPerEpoch, int samples, List<TrainListener> listeners) {
      this.epochs = epochs;
      this.stepsPerEpoch = stepsPerEpoch;
      this.samples = samples;
      this.listeners = listeners;
    }

    void step(TrainEvent.StepTaken read) {
      if (epoch.isEmpty() || epoch.getAsInt() < read.epoch()) {
        endEpoch();
        tell(new TrainEvent.EpochStarted(read.epoch(), epochs, stepsPerEpoch));
        add(with(read, samplesOf(over(read.epoch()), samples)));
      } else {
        add(read);
      }
      epoch = OptionalInt.of(read.epoch());
    }

    private void add(TrainEvent.StepTaken step) {
      tell(step);
      totals = totals.plus(step, step.milliseconds() / 1000);
    }

    /** Where it is over: of one that goes on the end is yet to come. */
    void endEpoch() {
      if (epoch.isPresent() && over(epoch.getAsInt())) {
        tell(totals.ended(epoch.getAsInt()));
        totals = EpochTotals.none();
      }
    }

    private boolean over(int number) {
      return number < taken.epoch || atEpochEnd();
    }

    private void tell(TrainEvent event) {
      listeners.forEach(listener -> listener.on(event));
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
}
