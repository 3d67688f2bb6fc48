package dev.halfcell.rest.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a series of lines, which may go on to come when it was told. Buckets are of equal width,
 * which doubles when there are too many of them. One thread.
 */
final class SeriesReading {
  private final long from;
  private final long to;
  private final int most;
  private final List<Series.Epoch> epochs = new ArrayList<>();
  private Optional<Point> first = Optional.empty();
  private Optional<Point> last = Optional.empty();
  private List<Point> between = new ArrayList<>();
  private int width = 1;
  private long steps;
  private long latestStep;

  SeriesReading(long from, long to, int most) {
    this.from = from;
    this.to = to;
    this.most = most;
  }

  void add(StepRow row) {
    if (row.step().isEmpty()) {
      if (latestStep >= from && latestStep <= to) {
        epochs.add(new Series.Epoch(row.epoch(), latestStep, row.values()));
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

  /** That of all lines so far. */
  Series series() {
    List<Point> points = new ArrayList<>();
    first.ifPresent(points::add);
    points.addAll(between);
    last.ifPresent(points::add);
    return new Series(points.stream().map(Point::copy).toList(), List.copyOf(epochs), steps);
  }
}
