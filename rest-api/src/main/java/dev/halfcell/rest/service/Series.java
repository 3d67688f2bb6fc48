package dev.halfcell.rest.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The series of a run, in one pass over its lines and with bounded memory: where there are more
 * steps than points, neighbours are put together and keep the least, the greatest and the last
 * value. The first and the last step always have a point of their own.
 *
 * @param points in the order of their steps
 * @param epochs what was measured when epochs were over
 * @param steps how many there are in the range
 */
public record Series(List<Point> points, List<Epoch> epochs, long steps) {
  /** What was measured when an epoch was over. */
  public record Epoch(int epoch, long step, Map<String, Double> values) {}

  /** The names of all values, in the order in which they came. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    points.forEach(point -> names.addAll(point.names()));
    return names;
  }

  /** Whether a point stands for several steps. */
  public boolean sampled() {
    return steps > points.size();
  }

  /**
   * Those of the steps in a range.
   *
   * @param most at most so many points, at least 2
   */
  public static Series read(Path metrics, long from, long to, int most) {
    Reading reading = new Reading(from, to, most);
    StepRows.read(metrics, reading::add);
    return reading.series();
  }

  /** Buckets of equal width, which doubles when there are too many of them. */
  private static final class Reading {
    private final long from;
    private final long to;
    private final int most;
    private final List<Epoch> epochs = new ArrayList<>();
    private Optional<Point> first = Optional.empty();
    private Optional<Point> last = Optional.empty();
    private List<Point> between = new ArrayList<>();
    private int width = 1;
    private long steps;
    private long latestStep;

    Reading(long from, long to, int most) {
      this.from = from;
      this.to = to;
      this.most = most;
    }

    void add(StepRow row) {
      if (row.step().isEmpty()) {
        if (latestStep >= from && latestStep <= to) {
          epochs.add(new Epoch(row.epoch(), latestStep, row.values()));
        }
        return;
      }
      latestStep = row.step().get();
      if (latestStep < from || latestStep > to) {
        return;
      }
      steps++;
      Point point = Point.of(latestStep, row);
      if (first.isEmpty()) {
        first = Optional.of(point);
      } else {
        last.ifPresent(this::between);
        last = Optional.of(point);
      }
    }

    private void between(Point point) {
      if (!between.isEmpty() && between.getLast().steps() < width) {
        between.getLast().join(point);
        return;
      }
      if (between.size() >= Math.max(0, most - 2)) {
        if (most <= 3) {
          // There is room for one point at most.
          if (most == 3) {
            between.getLast().join(point);
          }
          return;
        }
        halve();
        between(point);
        return;
      }
      between.add(point);
    }

    private void halve() {
      List<Point> half = new ArrayList<>();
      for (int i = 0; i < between.size(); i += 2) {
        Point point = between.get(i);
        if (i + 1 < between.size()) {
          point.join(between.get(i + 1));
        }
        half.add(point);
      }
      between = half;
      width *= 2;
    }

    Series series() {
      List<Point> points = new ArrayList<>();
      first.ifPresent(points::add);
      points.addAll(between);
      last.ifPresent(points::add);
      return new Series(points, epochs, steps);
    }
  }
}
