package dev.halfcell.rest.worker;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.store.Report.Happened;
import dev.halfcell.rest.worker.FromWorker.Told;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.run.Settings;
import dev.halfcell.zoo.run.TestScores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gathers what happens in a training until it is {@link #take taken} to be told: of many steps the
 * last one, of many changes of the loss scale the way from first to last. The training never waits
 * for who takes. Threads may share it.
 */
final class TrainingNews implements TrainListener {
  /** How much of the time of a step is taken from the newest one. */
  private static final double WEIGHT = 0.05;

  private static final int LONGEST_NOTICE = 2000;

  private final LongSupplier nanoseconds;
  private Settings.Length length = new Settings.Length(1, 1, java.util.OptionalInt.empty());
  private List<Happened> events = new ArrayList<>();
  private Map<String, Double> metrics = new HashMap<>();
  private int leftOut;
  private Optional<TrainEvent.EpochStarted> epoch = Optional.empty();
  private Optional<TrainEvent.StepTaken> last = Optional.empty();
  private Pending pending = new Pending();
  private long steps;
  private long steppedAt;
  private double stepSeconds = Double.NaN;
  private boolean progressed;

  /** What happened in steps that no event was made of yet. */
  private static final class Pending {
    private int steps;
    private long samples;
    private double milliseconds;
    private int overflows;
    private long overflowStep;
    private double scaleFrom = Double.NaN;
  }

  /** One that nothing was told to yet. */
  TrainingNews(LongSupplier nanoseconds) {
    this.nanoseconds = nanoseconds;
  }

  /**
   * The training is about to begin.
   *
   * @param behind the steps that lie behind it
   */
  synchronized void begins(Settings.Length whole, long behind) {
    length = whole;
    steps = behind;
    steppedAt = nanoseconds.getAsLong();
  }

  /** The steps that were taken, those of earlier attempts included. */
  synchronized long steps() {
    return steps;
  }

  @Override
  public synchronized void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted started -> epoch = Optional.of(started);
      case TrainEvent.StepTaken taken -> stepped(taken);
      case TrainEvent.OffenderFound found -> notice("first offender: " + found.offender().text());
      case TrainEvent.EpochEnded ended -> ended(ended);
      case TrainEvent.EpochMeasured measured -> measured(measured);
      case TrainEvent.BackendNoticed noticed -> notice(noticed.message());
    }
  }

  private void stepped(TrainEvent.StepTaken taken) {
    StepResult result = taken.result();
    steps++; // the number of a step counts each try of its batch
    last = Optional.of(taken);
    progressed = true;
    pending.steps++;
    pending.samples += taken.samples();
    pending.milliseconds += taken.milliseconds();
    if (result.overflow()) {
      pending.overflows++;
      pending.overflowStep = taken.step();
    }
    if (result.nextScale() != result.usedScale() && Double.isNaN(pending.scaleFrom)) {
      pending.scaleFrom = result.usedScale();
    }
    long now = nanoseconds.getAsLong();
    double seconds = (now - steppedAt) / 1e9;
    steppedAt = now;
    stepSeconds =
        Double.isNaN(stepSeconds) ? seconds : stepSeconds + WEIGHT * (seconds - stepSeconds);
  }

  private void ended(TrainEvent.EpochEnded ended) {
    stepEvents();
    ObjectNode data = object().put("epoch", ended.epoch());
    put(data, "meanLoss", ended.meanLoss());
    data.put("samples", ended.samples()).put("refused", ended.refused());
    put(data, "seconds", ended.seconds());
    add(EventKind.EPOCH, data);
  }

  private void measured(TrainEvent.EpochMeasured measured) {
    ObjectNode values = object();
    measured.values().forEach((name, value) -> put(values, name, value));
    ObjectNode data = object().put("epoch", measured.epoch());
    data.set("metrics", values);
    add(EventKind.EPOCH, data);
    measured.values().forEach(this::metric);
  }

  /** What came out of the whole training, by the names that epochs are measured by. */
  synchronized void tested(TestScores scores) {
    metric("test_loss", scores.loss());
    metric("test_accuracy", scores.accuracy());
    progressed = true;
  }

  /** A checkpoint was saved. */
  synchronized void saved(long step, String name) {
    add(EventKind.CHECKPOINT, object().put("step", step).put("name", name));
  }

  /** Something that a user should know. */
  synchronized void notice(String message) {
    add(
        EventKind.NOTICE,
        object().put("message", message.substring(0, Math.min(message.length(), LONGEST_NOTICE))));
  }

  /** All since it was taken last; none where nothing happened. */
  synchronized Optional<Told> take() {
    stepEvents();
    if (leftOut > 0) {
      String message = leftOut + " events were left out: too many at once";
      events.add(happened(EventKind.NOTICE, object().put("message", message)));
      leftOut = 0;
    }
    if (events.isEmpty() && !progressed) {
      return Optional.empty();
    }
    Told told = new Told(progress(), metrics, events);
    events = new ArrayList<>();
    metrics = new HashMap<>();
    progressed = false;
    return Optional.of(told);
  }

  private void stepEvents() {
    if (pending.steps == 0 || last.isEmpty()) {
      return;
    }
    TrainEvent.StepTaken step = last.get();
    double scale = step.result().nextScale();
    if (pending.overflows > 0) {
      add(
          EventKind.OVERFLOW,
          object().put("step", pending.overflowStep).put("count", pending.overflows));
    }
    if (!Double.isNaN(pending.scaleFrom) && scale != pending.scaleFrom) {
      ObjectNode data = object().put("step", step.step());
      put(data, "from", pending.scaleFrom);
      put(data, "to", scale);
      add(EventKind.SCALE, data);
    }
    add(EventKind.STEP, stepData(step, pending.samples / (pending.milliseconds / 1000)));
    pending = new Pending();
  }

  private ObjectNode stepData(TrainEvent.StepTaken step, double samplesPerSecond) {
    ObjectNode data = object().put("step", step.step()).put("epoch", step.epoch());
    both(data, "loss", step.result().loss());
    both(data, "lossScale", step.result().nextScale());
    both(data, "learningRate", step.learningRate());
    both(data, "samplesPerSecond", samplesPerSecond);
    return data;
  }

  private void both(ObjectNode data, String name, double value) {
    put(data, name, value);
    metric(name, value);
  }

  private void metric(String name, double value) {
    if (Double.isFinite(value)) {
      metrics.put(name, value);
    }
  }

  /** JSON has no word for what is not finite. */
  private static void put(ObjectNode data, String name, double value) {
    if (Double.isFinite(value)) {
      data.put(name, value);
    } else {
      data.putNull(name);
    }
  }

  private void add(EventKind kind, ObjectNode data) {
    if (events.size() < ToldLimits.EVENTS - 1) {
      events.add(happened(kind, data));
    } else {
      leftOut++;
    }
  }

  private static Happened happened(EventKind kind, ObjectNode data) {
    return new Happened(Instant.now(), kind, data.toString());
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private Optional<JobProgress> progress() {
    return epoch.map(
        at -> {
          long whole = (long) length.epochs() * at.batches();
          long total =
              length.steps().isPresent() ? Math.min(length.steps().getAsInt(), whole) : whole;
          double eta = Math.max(0, total - steps) * stepSeconds;
          return new JobProgress(
              steps,
              Optional.of(total),
              at.epoch(),
              at.epochs(),
              total == 0 ? 0 : Math.min(1, (double) steps / total),
              Double.isFinite(eta) ? Optional.of(eta) : Optional.empty(),
              Instant.now());
        });
  }
}
