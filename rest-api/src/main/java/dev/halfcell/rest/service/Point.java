package dev.halfcell.rest.service;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one or several steps next to each other say. One thread. */
public final class Point {
  private final Map<String, Range> ranges = new LinkedHashMap<>();
  private long lastStep;
  private int steps;
  private int overflows;

  /** The values of some steps; NaN where none was finite. */
  public static final class Range {
    private double last;
    private double least;
    private double greatest;

    private Range(double value) {
      last = value;
      least = value;
      greatest = value;
    }

    /** Of the last step. */
    public double last() {
      return last;
    }

    /** The least of all. */
    public double least() {
      return least;
    }

    /** The greatest of all. */
    public double greatest() {
      return greatest;
    }

    private void join(Range later) {
      last = later.last;
      // A value that is not finite says nothing of the range of those that are.
      least = Double.isNaN(least) ? later.least : Math.min(least, orSelf(later.least, least));
      greatest =
          Double.isNaN(greatest)
              ? later.greatest
              : Math.max(greatest, orSelf(later.greatest, greatest));
    }

    private static double orSelf(double value, double self) {
      return Double.isNaN(value) ? self : value;
    }
  }

  private Point(long step) {
    lastStep = step;
    steps = 1;
  }

  static Point of(long step, StepRow row) {
    Point point = new Point(step);
    point.overflows = row.overflow() ? 1 : 0;
    for (String name : new String[] {"loss", "scale", "lr", "step_ms", "data_wait_ms"}) {
      if (row.values().containsKey(name)) {
        point.ranges.put(name, new Range(row.value(name)));
      }
    }
    return point;
  }

  /** Takes in steps that come behind these. */
  void join(Point later) {
    lastStep = later.lastStep;
    steps += later.steps;
    overflows += later.overflows;
    later.ranges.forEach(
        (name, range) -> {
          Range here = ranges.get(name);
          if (here == null) {
            ranges.put(name, range);
          } else {
            here.join(range);
          }
        });
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
    return ranges.keySet();
  }

  /** The values of a name. */
  public Optional<Range> range(String name) {
    return Optional.ofNullable(ranges.get(name));
  }
}
