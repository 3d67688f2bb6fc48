package dev.halfcell.benchmarks;

import java.util.Collections;
import java.util.List;

/**
 * All that was measured of one contender.
 *
 * @param lossDifference of its first losses from HalfCell's at O0, relative to the first of them
 * @param first the measurement by which its settings were chosen
 * @param rounds those that count, in order
 */
record Timing(
    Contender contender, double lossDifference, Measurement first, List<Measurement> rounds) {
  Timing {
    rounds = List.copyOf(rounds);
  }

  /** The median of each round. */
  List<Double> roundMs() {
    return rounds.stream().map(Measurement::medianMs).toList();
  }

  /** The median of the rounds' medians. */
  double medianMs() {
    return Median.of(roundMs());
  }

  /** The median of the best round. */
  double bestMs() {
    return Collections.min(roundMs());
  }
}
