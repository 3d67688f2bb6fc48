package dev.halfcell.rest.service;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What one or several steps next to each other say. One thread. */
public final class Point {
  private static final List<String> NAMES =
      List.of("loss", "scale", "lr", "step_ms", "data_wait_ms");

  /** Which names there are values of. */
  private final boolean[] there;

  private final double[] last;
  private final double[] least;
  private final double[] greatest;
  private long lastStep;
  private int steps;
  private int overflows;

  /**
   * The values of some steps; NaN where none was finite.
   *
   * @param last of the last step
   * @param least of all
   * @param greatest of all
   */
  public record Range(double last, double least, double greatest) {}

  private Point(long lastStep, int steps, int overflows, boolean[] there, double[] last) {
    this(lastStep, steps, overflows, there, last, last.clone(), last.clone());
  }

  private Point(
      long lastStep,
      int steps,
      int overflows,
      boolean[] there,
      double[] last,
      double[] least,
      double[] greatest) {
    this.lastStep = lastStep;
    this.steps = steps;
    this.overflows = overflows;
    this.there = there;
    this.last = last;
    this.least = least;
    this.greatest = greatest;
  }

  static Point of(long step, StepRow row) {
    boolean[] there = new boolean[NAMES.size()];
    double[] values = new double[NAMES.size()];
    for (int i = 0; i < values.length; i++) {
      Double value = row.values().get(NAMES.get(i));
      there[i] = value != null;
      values[i] = value == null ? Double.NaN : value;
    }
    return new Point(step, 1, row.overflow() ? 1 : 0, there, values);
  }

  /** One that says the same and changes by itself. */
  Point copy() {
    return new Point(
        lastStep, steps, overflows, there.clone(), last.clone(), least.clone(), greatest.clone());
  }

  /** Takes in steps that come behind these. */
  void join(Point later) {
    lastStep = later.lastStep;
    steps += later.steps;
    overflows += later.overflows;
    for (int i = 0; i < last.length; i++) {
      if (later.there[i]) {
        there[i] = true;
        last[i] = later.last[i];
        // A value that is not finite says nothing of the range of those that are.
        least[i] = Math.min(orOther(least[i], later.least[i]), orOther(later.least[i], least[i]));
        greatest[i] =
            Math.max(
                orOther(greatest[i], later.greatest[i]), orOther(later.greatest[i], greatest[i]));
      }
    }
  }

  private static double orOther(double value, double other) {
    return Double.isNaN(value) ? other : value;
  }

  /** The last of its steps. */
  public long lastStep() {
    return lastStep;
  }

  /** How many steps it stands for. */
  public int steps() {
    return steps;
  }

  /** How many of them overflowed. */
  public int overflows() {
    return overflows;
  }

  /** What there are values of. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < there.length; i++) {
      if (there[i]) {
        names.add(NAMES.get(i));
      }
    }
    return names;
  }

  /** The values of a name. */
  public Optional<Range> range(String name) {
    int i = NAMES.indexOf(name);
    return i >= 0 && there[i]
        ? Optional.of(new Range(last[i], least[i], greatest[i]))
        : Optional.empty();
  }
}
