package dev.halfcell.rest.http;

import dev.halfcell.rest.http.ComparisonEndpoints.Row;
import dev.halfcell.rest.service.RunResults;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison as text: a line for each job, and one of means for each level. */
final class ComparisonText {
  private static final double MIB = 1 << 20;
  private static final String NONE = "-";
  private static final List<Integer> WIDTHS = List.of(-6, 12, -12, 10, 10, 10, 12, 10, 10);

  private ComparisonText() {}

  static String of(List<Row> rows, Map<String, List<Row>> levels) {
    String heads =
        line(
            "level",
            "seed",
            "state",
            "accuracy",
            "loss",
            "step ms",
            "samples/s",
            "overflows",
            "peak MiB");
    return heads
        + rows.stream()
            .map(
                row ->
                    line(
                        row.job().level(),
                        Long.toString(row.seed()),
                        row.job().state().name(),
                        row.results()))
            .collect(Collectors.joining())
        + levels.entrySet().stream()
            .map(
                level ->
                    line(level.getKey(), "mean", "", ComparisonEndpoints.mean(level.getValue())))
            .collect(Collectors.joining());
  }

  private static String line(String level, String seed, String state, RunResults results) {
    return line(
        level,
        seed,
        state,
        shown(results, "testAccuracy", "%.4f", 1),
        shown(results, "testLoss", "%.4f", 1),
        shown(results, "stepMilliseconds", "%.4f", 1),
        shown(results, "samplesPerSecond", "%.0f", 1),
        shown(results, "overflowSteps", "%.1f", 1),
        shown(results, "peakBytes", "%.1f", MIB));
  }

  private static String shown(RunResults results, String name, String form, double unit) {
    Double value = results.values().get(name);
    return value == null ? NONE : String.format(Locale.ROOT, form, value / unit);
  }

  private static String line(String... cells) {
    String form = WIDTHS.stream().map(width -> "%" + width + "s").collect(Collectors.joining(" "));
    return String.format(Locale.ROOT, form, Stream.of(cells).toArray()).stripTrailing() + "\n";
  }
}
