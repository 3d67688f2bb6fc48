package dev.halfcell.amp.diagnosis;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/** A report of underflow as people read it. */
record UnderflowText(UnderflowReport report) {
  private static final int BAR = 40;

  String text() {
    StringBuilder lines = new StringBuilder();
    lines.append(
        "gradients of one batch in fp32 arithmetic, as %s holds them at scale %s%n"
            .formatted(report.half().label(), number(report.scale())));
    int widest = report.rows().stream().mapToInt(row -> row.path().text().length()).max().orElse(1);
    String format = "%-" + Math.max(4, widest) + "s  %-11s  %10s  %7s  %7s  %9s  %s%n";
    lines.append(
        format.formatted("path", "gradient of", "values", "zero", "flushed", "subnormal", "range"));
    report.rows().forEach(row -> lines.append(line(format, row)));
    return lines.append(histogram()).append(advice()).toString();
  }

  private String line(String format, UnderflowReport.Row row) {
    Exponents exponents = row.exponents();
    String of = row.parameter() ? "parameter" : row.inHalf() ? "half" : "fp32";
    return format.formatted(
        row.path(),
        of,
        exponents.elements(),
        percent(exponents.zeros(), exponents),
        percent(exponents.flushed(report.half(), report.scale()), exponents),
        percent(exponents.subnormal(report.half(), report.scale()), exponents),
        range(exponents.counts()));
  }

  private static String range(SortedMap<Integer, Long> counts) {
    return counts.isEmpty() ? "-" : "2^" + counts.firstKey() + " to 2^" + counts.lastKey();
  }

  private String histogram() {
    Map<Integer, Long> counts = report.histogram();
    long most = counts.values().stream().mapToLong(count -> count).max().orElse(1);
    StringBuilder lines = new StringBuilder();
    counts.forEach(
        (exponent, count) ->
            lines.append(
                "%7s  %10d  %s%n"
                    .formatted("2^" + exponent, count, "#".repeat((int) (BAR * count / most)))));
    return lines.toString();
  }

  private String advice() {
    Exponents all = report.passedInHalf();
    if (report.bestScale().isEmpty()) {
      return "no gradient is passed on in half: nothing can underflow%n".formatted();
    }
    double best = report.bestScale().getAsDouble();
    return "passed on in half: %s%nleast is lost at scale %s: %s%n"
        .formatted(lost(all, report.scale()), number(best), lost(all, best));
  }

  private String lost(Exponents all, double scale) {
    return "%s flushed to zero, %s subnormal%s"
        .formatted(
            percent(all.flushed(report.half(), scale), all),
            percent(all.subnormal(report.half(), scale), all),
            all.overflows(report.half(), scale) ? ", the largest overflows" : "");
  }

  private static String percent(long count, Exponents of) {
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * count / Math.max(1, of.elements()));
  }

  private static String number(double scale) {
    int exponent = Math.getExponent(scale);
    return scale == Math.scalb(1.0, exponent)
        ? "2^" + exponent
        : String.format(Locale.ROOT, "%s", scale);
  }
}
