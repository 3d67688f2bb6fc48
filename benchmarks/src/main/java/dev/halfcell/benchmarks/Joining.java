package dev.halfcell.benchmarks;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings HalfCell's rows and PyTorch's together. Rows of one network and batch belong together, and
 * a half is compared with the same half.
 */
record Joining(List<LevelRow> halfcell, List<TorchRow> torch) {
  Joining {
    halfcell = List.copyOf(halfcell);
    torch = List.copyOf(torch);
  }

  /** Network by network, as HalfCell was timed on them; what PyTorch alone computed is left out. */
  List<JointRow> rows() {
    return halfcell.stream()
        .map(LevelRow::workload)
        .distinct()
        .flatMap(workload -> Stream.concat(levels(workload), peers(workload)))
        .toList();
  }

  private Stream<JointRow> levels(Workload workload) {
    return halfcell.stream()
        .filter(row -> row.workload().equals(workload))
        .map(
            row ->
                joint(
                    workload,
                    row.name(),
                    row.half(),
                    Optional.empty(),
                    row.medianMs(),
                    row.error()));
  }

  private Stream<JointRow> peers(Workload workload) {
    return bestLayouts(workload).stream()
        .map(
            row -> joint(workload, row.name(), row.half(), row.layout(), row.ms(), firstLine(row)));
  }

  /** Each name once, by its fastest layout; what failed gives way to what did not. */
  private Collection<TorchRow> bestLayouts(Workload workload) {
    Comparator<TorchRow> byTime =
        Comparator.comparingDouble(row -> row.ms().orElse(Double.POSITIVE_INFINITY));
    return torch.stream()
        .filter(row -> row.workload().equals(workload))
        .collect(
            Collectors.toMap(
                TorchRow::name, row -> row, BinaryOperator.minBy(byTime), LinkedHashMap::new))
        .values();
  }

  /**
   * PyTorch's errors are pages long. A row that was timed and failed after has a time that counts
   * not.
   */
  private static Optional<String> firstLine(TorchRow row) {
    return row.error().map(error -> error.lines().findFirst().orElse("no reason given"));
  }

  private JointRow joint(
      Workload workload,
      String name,
      Optional<String> half,
      Optional<String> layout,
      OptionalDouble ms,
      Optional<String> error) {
    OptionalDouble counted = error.isPresent() ? OptionalDouble.empty() : ms;
    return new JointRow(
        workload.network(),
        workload.batch(),
        name,
        half,
        layout,
        counted,
        over(fastest(workload, half, TorchRow::eager), counted),
        over(fastest(workload, half, TorchRow::compiled), counted),
        error);
  }

  private OptionalDouble fastest(
      Workload workload, Optional<String> half, Predicate<TorchRow> those) {
    return torch.stream()
        .filter(row -> half.isPresent() && row.half().equals(half))
        .filter(row -> row.workload().equals(workload) && row.error().isEmpty())
        .filter(those)
        .flatMapToDouble(row -> row.ms().stream())
        .min();
  }

  private static OptionalDouble over(OptionalDouble other, OptionalDouble ms) {
    return other.isPresent() && ms.isPresent()
        ? OptionalDouble.of(other.getAsDouble() / ms.getAsDouble())
        : OptionalDouble.empty();
  }
}
