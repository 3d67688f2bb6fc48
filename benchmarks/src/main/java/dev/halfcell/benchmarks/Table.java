package dev.halfcell.benchmarks;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison as text. */
final class Table {
  private static final double MEGABYTE = 1e6;

  private Table() {}

  static String of(Comparison comparison) {
    Stream<String> head =
        Stream.of(
            head(comparison),
            line(
                "",
                "median",
                "best",
                "x FP32",
                "x BF16",
                "time",
                "GFLOP",
                "of",
                "kept",
                "planned",
                "resident",
                ""),
            line(
                "",
                "ms",
                "ms",
                "peer",
                "libtorch",
                "/ O0",
                "/s",
                "peak",
                "MB",
                "MB",
                "MB",
                "settings"));
    Stream<String> unable =
        comparison.unable().entrySet().stream().map(peer -> peer.getKey() + ": " + peer.getValue());
    return Stream.of(head, comparison.rows().stream().map(Table::line), unable)
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n"));
  }

  private static String head(Comparison of) {
    return String.format(
        Locale.ROOT,
        "%s, batch %d: %.3f GFLOP a step; peak FP32 %.0f, BF16 %.0f, FP16 %.0f GFLOP/s",
        of.workload().network(),
        of.workload().batch(),
        of.gflop(),
        of.peak().fp32(),
        of.peak().bf16(),
        of.peak().fp16());
  }

  private static String line(Row row) {
    return line(
        row.name(),
        decimals("%.3f", OptionalDouble.of(row.medianMs())),
        decimals("%.3f", OptionalDouble.of(row.bestMs())),
        decimals("%.2fx", row.ratios().overFp32Peer()),
        decimals("%.2fx", row.ratios().overBf16Peer()),
        decimals("%.2f", row.ratios().timeOverO0()),
        decimals("%.1f", OptionalDouble.of(row.gflopPerSecond())),
        decimals("%.0f %%", OptionalDouble.of(100 * row.shareOfPeak())),
        megabytes(row.bytes().activations()),
        megabytes(row.bytes().planned()),
        megabytes(row.bytes().resident()),
        row.settings());
  }

  private static String line(String... cells) {
    return String.format("%-24s %10s %10s %10s %10s %8s %8s %7s %8s %8s %9s  %s", (Object[]) cells)
        .stripTrailing();
  }

  private static String decimals(String format, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
  }

  private static String megabytes(OptionalLong bytes) {
    return bytes.isPresent()
        ? String.format(Locale.ROOT, "%.1f", bytes.getAsLong() / MEGABYTE)
        : "-";
  }
}
