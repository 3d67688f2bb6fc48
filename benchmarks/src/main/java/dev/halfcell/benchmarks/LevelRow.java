package dev.halfcell.benchmarks;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * HalfCell at one level on one network, as it is kept: times, or why there are none.
 *
 * @param name who computes: {@code HalfCell O2 BF16}
 * @param half what in: {@code fp16} or {@code bf16}; none where all is FP32
 * @param medianMs the median over the rounds of their median time of a step, in milliseconds
 * @param bestMs that of the best round
 * @param roundMs that of each round, also of those before one that failed
 * @param timedSteps how many steps that count were taken in all rounds together
 * @param lossDifference the largest difference of its first losses from HalfCell's at O0, relative
 *     to the first of them
 * @param bytes what the process of its first round held
 * @param error why it has no times, in a line
 */
record LevelRow(
    String network,
    int batch,
    String name,
    Optional<String> half,
    OptionalDouble medianMs,
    OptionalDouble bestMs,
    List<Double> roundMs,
    int timedSteps,
    OptionalDouble lossDifference,
    Optional<Bytes> bytes,
    Optional<String> error) {
  LevelRow {
    roundMs = List.copyOf(roundMs);
  }

  static LevelRow of(Workload workload, Attempt attempt) {
    Precision precision = attempt.contender().precision();
    List<Measurement> rounds = attempt.rounds();
    List<Double> medians = rounds.stream().map(Measurement::medianMs).toList();
    boolean counts = attempt.error().isEmpty() && !medians.isEmpty();
    return new LevelRow(
        workload.network(),
        workload.batch(),
        attempt.contender().name(),
        precision.half()
            ? Optional.of(precision.name().toLowerCase(Locale.ROOT))
            : Optional.empty(),
        counts ? OptionalDouble.of(Median.of(medians)) : OptionalDouble.empty(),
        counts ? OptionalDouble.of(Collections.min(medians)) : OptionalDouble.empty(),
        medians,
        rounds.stream().mapToInt(round -> round.timedMs().size()).sum(),
        attempt.lossDifference(),
        rounds.stream().findFirst().map(Measurement::bytes),
        attempt.error());
  }

  /** What it computes. */
  Workload workload() {
    return new Workload(network, batch);
  }
}
