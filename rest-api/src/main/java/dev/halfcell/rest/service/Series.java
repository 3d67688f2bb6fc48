package dev.halfcell.rest.service;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
    SeriesReading reading = new SeriesReading(from, to, most);
    StepRows.read(metrics, reading::add);
    return reading.series();
  }
}
