package dev.halfcell.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What came of measuring a contender that may fail.
 *
 * @param rounds what was measured, in order; they count only where nothing failed
 * @param lossDifference the largest of its first losses from HalfCell's at O0, relative to the
 *     first of them, in any round
 * @param error why it has no time, in a line
 */
record Attempt(
    Contender contender,
    List<Measurement> rounds,
    OptionalDouble lossDifference,
    Optional<String> error) {
  Attempt {
    rounds = List.copyOf(rounds);
  }

  /** Before its first round. */
  static Attempt of(Contender contender) {
    return new Attempt(contender, List.of(), OptionalDouble.empty(), Optional.empty());
  }

  /** The same with another round, whose first losses differ by so much. */
  Attempt and(Measurement round, double difference) {
    List<Measurement> more = new ArrayList<>(rounds);
    more.add(round);
    double largest = Math.max(difference, lossDifference.orElse(0));
    return new Attempt(contender, more, OptionalDouble.of(largest), error);
  }

  /** The same, failed for this reason. */
  Attempt failed(String reason) {
    return new Attempt(contender, rounds, lossDifference, Optional.of(reason));
  }
}
