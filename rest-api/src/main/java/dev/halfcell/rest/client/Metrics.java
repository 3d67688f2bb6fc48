package dev.halfcell.rest.client;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The curves of a job.
 *
 * @param sampled whether a point stands for several steps
 * @param totalPoints the steps that there are in what was asked for
 * @param steps the last step of each point
 * @param overflows how many steps of each point overflowed
 * @param series the points of each curve, as many as {@code steps}, by its name: {@code loss},
 *     {@code scale}, {@code lr}, {@code step_ms}, {@code data_wait_ms}, or what a newer server may
 *     say
 * @param epochs what was measured when epochs were over
 */
public record Metrics(
    boolean sampled,
    long totalPoints,
    List<Long> steps,
    List<Integer> overflows,
    Map<String, List<Point>> series,
    List<Epoch> epochs) {
  public Metrics {
    steps = List.copyOf(steps);
    overflows = List.copyOf(overflows);
    Map<String, List<Point>> copies = new LinkedHashMap<>();
    series.forEach((name, points) -> copies.put(name, List.copyOf(points)));
    series = Collections.unmodifiableMap(copies);
    epochs = List.copyOf(epochs);
  }

  /**
   * The values of a step, or of several next to each other. Those that were not finite say nothing
   * where others were; NaN where none was.
   *
   * @param step the last of them
   * @param last its value
   * @param min the least of all
   * @param max the greatest of all
   */
  public record Point(long step, double last, double min, double max) {}

  /**
   * What was measured when an epoch was over.
   *
   * @param epoch from 1
   * @param step the step behind which it was measured
   * @param values by their names; NaN where one was not finite
   */
  public record Epoch(int epoch, long step, Map<String, Double> values) {
    public Epoch {
      values = Collections.unmodifiableMap(values);
    }
  }

  /** The points of a curve; none where there is no such curve. */
  public List<Point> points(String name) {
    return series.getOrDefault(name, List.of());
  }
}
