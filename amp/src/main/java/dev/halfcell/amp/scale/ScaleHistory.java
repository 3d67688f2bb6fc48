package dev.halfcell.amp.scale;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The last steps of a run with their loss scales, and a quiet log: a line where the scale changes,
 * none where it does not, and a summary at the end of each epoch. Changes within {@value
 * #QUIET_STEPS} steps of a line are counted and told with the next one: a rule that moves the scale
 * at every step does not flood the log. One thread.
 */
public final class ScaleHistory implements TrainListener {
  /** For so many steps after a line about a change there is no other. */
  public static final int QUIET_STEPS = 50;

  /**
   * One step.
   *
   * @param step steps taken since training began, this one included
   * @param scale the loss scale that it used; where its batch was tried more than once, that of its
   *     first try, which is known behind another step
   * @param next the loss scale of the step after it
   * @param overflow whether it was not finite
   * @param applied whether it moved the parameters
   */
  public record Entry(long step, double scale, double next, boolean overflow, boolean applied) {
    /** Whether the scale moved. */
    public boolean changed() {
      return next != scale;
    }
  }

  private final int capacity;
  private final Consumer<String> log;
  private final Deque<Entry> ring = new ArrayDeque<>();
  private long steps;
  private long refused;
  private long changes;
  private long untold;
  private long toldAt = Long.MIN_VALUE;

  /** The last {@code capacity} steps, and no log. */
  public ScaleHistory(int capacity) {
    this(capacity, _ -> {});
  }

  /** The last {@code capacity} steps, and a log. */
  public ScaleHistory(int capacity, Consumer<String> log) {
    ArgumentException.require(capacity >= 1, "ScaleHistory", "room for a step", capacity);
    this.capacity = capacity;
    this.log = log;
  }

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.StepTaken taken -> add(entry(taken.step(), taken.result()));
      case TrainEvent.EpochEnded ended -> summary(ended);
      case TrainEvent.EpochStarted _,
          TrainEvent.OffenderFound _,
          TrainEvent.EpochMeasured _,
          TrainEvent.BackendNoticed _ -> {}
    }
  }

  private Entry entry(long step, StepResult result) {
    boolean again = result.tries() > 1 && !ring.isEmpty();
    double scale = again ? ring.getLast().next() : result.usedScale();
    return new Entry(step, scale, result.nextScale(), result.overflow(), result.applied());
  }

  private void add(Entry entry) {
    if (ring.size() == capacity) {
      ring.removeFirst();
    }
    ring.addLast(entry);
    steps++;
    refused += entry.applied() ? 0 : 1;
    if (entry.changed()) {
      changes++;
      changed(entry);
    }
  }

  private void changed(Entry entry) {
    if (toldAt != Long.MIN_VALUE && entry.step() - toldAt <= QUIET_STEPS) {
      untold++;
      return;
    }
    toldAt = entry.step();
    log.accept(
        "step %d: loss scale %s -> %s%s%s"
            .formatted(
                entry.step(),
                number(entry.scale()),
                number(entry.next()),
                entry.overflow() ? ", overflow" : "",
                more()));
  }

  private String more() {
    String changes = untold == 1 ? " more change" : " more changes";
    String more = untold == 0 ? "" : " (" + untold + changes + " since the last line)";
    untold = 0;
    return more;
  }

  private void summary(TrainEvent.EpochEnded ended) {
    if (ended.refused() > 0 || untold > 0) {
      log.accept(
          "epoch %d: loss scale %s, %d %s refused%s"
              .formatted(
                  ended.epoch(),
                  ring.isEmpty() ? "unknown" : number(ring.getLast().next()),
                  ended.refused(),
                  ended.refused() == 1 ? "step" : "steps",
                  more()));
    }
  }

  private static String number(double scale) {
    return scale == Math.rint(scale) && scale < 1e15
        ? String.format(Locale.ROOT, "%.0f", scale)
        : String.format(Locale.ROOT, "%.4g", scale);
  }

  /** The last steps, the oldest first. */
  public List<Entry> entries() {
    return List.copyOf(ring);
  }

  /** All steps that were taken. */
  public long steps() {
    return steps;
  }

  /** How many of them were refused. */
  public long refused() {
    return refused;
  }

  /** How many of them moved the scale. */
  public long changes() {
    return changes;
  }
}
