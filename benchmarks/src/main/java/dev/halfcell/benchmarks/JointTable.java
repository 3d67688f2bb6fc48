package dev.halfcell.benchmarks;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** HalfCell's and PyTorch's times on one GPU as text. */
final class JointTable {
  private JointTable() {}

  static String of(JointRun run) {
    Stream<String> networks =
        run.rows().stream()
            .map(JointRow::workload)
            .distinct()
            .flatMap(workload -> Stream.concat(head(workload), lines(run, workload)));
    return Stream.concat(Stream.of(head(run)), networks).collect(Collectors.joining("\n"));
  }

  private static String head(JointRun run) {
    String torch = run.versions().getOrDefault("torch", "none");
    return String.format(
        "%s, driver %s; HalfCell %s, its tests here: %s; PyTorch %s",
        run.device(), run.driver(), run.commit(), run.check(), torch);
  }

  private static Stream<String> head(Workload workload) {
    String title = workload.network() + ", batch " + workload.batch();
    return Stream.of("", line(title, "median ms", "x eager AMP", "x compiled", ""));
  }

  private static Stream<String> lines(JointRun run, Workload workload) {
    return run.rows().stream().filter(row -> row.workload().equals(workload)).map(JointTable::line);
  }

  private static String line(JointRow row) {
    String remark = row.error().map(error -> "failed: " + error).or(row::layout).orElse("");
    return line(
        row.name(),
        decimals("%.3f", row.medianMs()),
        decimals("%.2fx", row.overEager()),
        decimals("%.2fx", row.overCompiled()),
        remark);
  }

  private static String line(String... cells) {
    return String.format("%-28s %10s %12s %11s  %s", (Object[]) cells).stripTrailing();
  }

  private static String decimals(String format, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
  }
}
