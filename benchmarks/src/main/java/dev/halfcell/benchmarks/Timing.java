package dev.halfcell.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * All that was measured of one contender.
 *
 * @param lossDifference of its first losses from HalfCell's at O0, relative to the first of them
 * @param first the measurement by which its settings were chosen
 * @param rounds those that count, in order; none where it was so slow that the first has to do
 */
record Timing(
    Contender contender, double lossDifference, Measurement first, List<Measurement> rounds) {
  Timing {
    rounds = List.copyOf(rounds);
  }

  /** The same with another round. */
  Timing and(Measurement round) {
    List<Measurement> more = new ArrayList<>(rounds);
    more.add(round);
    return new Timing(contender, lossDifference, first, more);
  }

  /** All measurements that count; where there were no rounds, the first. */
  private List<Measurement> counted() {
    return rounds.isEmpty() ? List.of(first) : rounds;
  }

  /** The median of each round. */
  List<Double> roundMs() {
    return counted().stream().map(Measurement::medianMs).toList();
  }

  /** How many steps count in all of them together. */
  int timedSteps() {
    return counted().stream().mapToInt(measurement -> measurement.timedMs().size()).sum();
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
