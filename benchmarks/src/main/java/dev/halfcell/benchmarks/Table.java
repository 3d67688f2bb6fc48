package dev.halfcell.benchmarks;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison as text. */
final class Table {
  private Table() {}

  static String of(Comparison comparison) {
    Stream<String> head =
        Stream.of(
            comparison.workload().network() + ", batch " + comparison.workload().batch(),
            line(
                "",
                "median ms",
                "best ms",
                "x FP32 peer",
                "time / O0",
                "activation bytes",
                "settings"));
    return Stream.concat(head, comparison.rows().stream().map(Table::line))
        .collect(Collectors.joining("\n"));
  }

  private static String line(Row row) {
    return line(
        row.name(),
        decimals("%.3f", OptionalDouble.of(row.medianMs())),
        decimals("%.3f", OptionalDouble.of(row.bestMs())),
        decimals("%.2fx", row.speedUp()),
        decimals("%.2f", row.timeOverO0()),
        grouped(row.activationBytes()),
        row.settings());
  }

  private static String line(String... cells) {
    return String.format("%-24s %10s %10s %14s %9s %16s  %s", (Object[]) cells).stripTrailing();
  }

  private static String decimals(String format, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
  }

  private static String grouped(OptionalLong value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%,d", value.getAsLong()) : "-";
  }
}
