package dev.halfcell.benchmarks;

import dev.halfcell.benchmarks.Contender.Side;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * How contenders stand to each other on one workload.
 *
 * @param rows each name once, in the order of the contenders
 */
record Comparison(Workload workload, List<Row> rows) {
  Comparison {
    rows = List.copyOf(rows);
  }

  /** From what was timed, HalfCell at O0 first. */
  static Comparison of(Workload workload, List<Timing> timings) {
    Collection<Timing> best =
        timings.stream()
            .collect(
                Collectors.toMap(
                    timing -> timing.contender().name(),
                    timing -> timing,
                    BinaryOperator.minBy(Comparator.comparingDouble(Timing::medianMs)),
                    LinkedHashMap::new))
            .values();
    OptionalDouble fastestPeer =
        best.stream()
            .filter(timing -> timing.contender().fp32Peer())
            .mapToDouble(Timing::medianMs)
            .min();
    double o0 = timings.getFirst().medianMs();
    return new Comparison(
        workload, best.stream().map(timing -> row(timing, fastestPeer, o0)).toList());
  }

  private static Row row(Timing timing, OptionalDouble fastestPeer, double o0) {
    double median = timing.medianMs();
    boolean own = timing.contender().side() == Side.HALFCELL;
    return new Row(
        timing.contender().name(),
        timing.contender().settings(),
        median,
        timing.bestMs(),
        timing.roundMs(),
        fastestPeer.isPresent()
            ? OptionalDouble.of(fastestPeer.getAsDouble() / median)
            : OptionalDouble.empty(),
        own ? OptionalDouble.of(median / o0) : OptionalDouble.empty(),
        timing.first().activationBytes(),
        timing.lossDifference());
  }
}
