package dev.halfcell.benchmarks;

import dev.halfcell.benchmarks.Contender.Side;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How contenders stand to each other on one workload.
 *
 * @param gflop the operations of a step, in 10⁹: {@link Workload#flops}
 * @param peak what the machine reached in between
 * @param rows each name once, in the order of the contenders
 * @param unable why a peer has no row, by its name
 */
record Comparison(
    Workload workload, double gflop, Peak peak, List<Row> rows, Map<String, String> unable) {
  Comparison {
    rows = List.copyOf(rows);
    unable = new TreeMap<>(unable);
  }

  /** From what was timed, HalfCell at O0 first. */
  static Comparison of(Workload workload, double gflop, Standings standings) {
    Collection<Timing> best =
        standings.timings().stream()
            .collect(
                Collectors.toMap(
                    timing -> timing.contender().name(),
                    timing -> timing,
                    BinaryOperator.minBy(Comparator.comparingDouble(Timing::medianMs)),
                    LinkedHashMap::new))
            .values();
    List<Row> rows =
        best.stream()
            .map(timing -> row(timing, ratios(timing, best), gflop, standings.peak()))
            .toList();
    return new Comparison(workload, gflop, standings.peak(), rows, standings.unable());
  }

  private static Row row(Timing timing, Row.Ratios ratios, double gflop, Peak peak) {
    double median = timing.medianMs();
    double speed = gflop / median * 1000;
    return new Row(
        timing.contender().name(),
        timing.contender().settings(),
        median,
        timing.bestMs(),
        timing.roundMs(),
        timing.timedSteps(),
        ratios,
        speed,
        speed / peak.of(timing.contender().precision()),
        timing.first().bytes(),
        timing.lossDifference());
  }

  private static Row.Ratios ratios(Timing timing, Collection<Timing> all) {
    Contender contender = timing.contender();
    double median = timing.medianMs();
    OptionalDouble none = OptionalDouble.empty();
    return new Row.Ratios(
        over(fastest(all, Contender::fp32Peer), median),
        contender.precision().half()
            ? over(fastest(all, other -> other.name().equals(Contenders.TORCH_BF16)), median)
            : none,
        contender.side() == Side.HALFCELL
            ? OptionalDouble.of(median / all.iterator().next().medianMs())
            : none);
  }

  private static OptionalDouble fastest(Collection<Timing> all, Predicate<Contender> those) {
    return all.stream()
        .filter(timing -> those.test(timing.contender()))
        .mapToDouble(Timing::medianMs)
        .min();
  }

  private static OptionalDouble over(OptionalDouble other, double median) {
    return other.isPresent() ? OptionalDouble.of(other.getAsDouble() / median) : other;
  }
}
