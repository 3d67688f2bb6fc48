package dev.halfcell.rest.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Curves as they are sent: in columns, with null for what is not finite. */
record MetricsBody(
    boolean sampled,
    long totalPoints,
    List<Long> steps,
    List<Integer> overflows,
    Map<String, Columns> series,
    List<EpochBody> epochs) {
  /** A curve; each column is as long as the steps. */
  record Columns(
      List<@Nullable Double> last, List<@Nullable Double> min, List<@Nullable Double> max) {
    private boolean areAsLongAs(List<Long> steps) {
      return last.size() == steps.size()
          && min.size() == steps.size()
          && max.size() == steps.size();
    }

    private List<Metrics.Point> points(List<Long> steps) {
      List<Metrics.Point> points = new ArrayList<>(steps.size());
      for (int i = 0; i < steps.size(); i++) {
        points.add(
            new Metrics.Point(
                steps.get(i), number(last.get(i)), number(min.get(i)), number(max.get(i))));
      }
      return points;
    }
  }

  /** What was measured when an epoch was over. */
  record EpochBody(int epoch, long step, Map<String, @Nullable Double> values) {
    private Metrics.Epoch epochMeasured() {
      Map<String, Double> numbers = new LinkedHashMap<>();
      values.forEach((name, value) -> numbers.put(name, number(value)));
      return new Metrics.Epoch(epoch, step, numbers);
    }
  }

  MetricsBody {
    steps = List.copyOf(steps);
    overflows = List.copyOf(overflows);
    epochs = List.copyOf(epochs);
    List<Long> all = steps;
    if (overflows.size() != all.size()
        || !series.values().stream().allMatch(columns -> columns.areAsLongAs(all))) {
      throw new IllegalArgumentException("columns of different lengths");
    }
  }

  private static double number(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  Metrics metrics() {
    Map<String, List<Metrics.Point>> points = new LinkedHashMap<>();
    series.forEach((name, columns) -> points.put(name, columns.points(steps)));
    return new Metrics(
        sampled,
        totalPoints,
        steps,
        overflows,
        points,
        epochs.stream().map(EpochBody::epochMeasured).toList());
  }
}
