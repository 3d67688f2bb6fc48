package dev.halfcell.benchmarks;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One line of a comparison: a contender with the settings that suit it best.
 *
 * @param medianMs the median over the rounds of their median time of a step, in milliseconds
 * @param bestMs that of the best round
 * @param roundMs that of each round
 * @param speedUp the median of the fastest FP32 peer over this one's; more than 1 is faster
 * @param timeOverO0 this one's median over that of HalfCell at O0, for HalfCell only
 * @param lossDifference the largest difference of its first losses from HalfCell's at O0, relative
 *     to the first of them
 */
record Row(
    String name,
    String settings,
    double medianMs,
    double bestMs,
    List<Double> roundMs,
    OptionalDouble speedUp,
    OptionalDouble timeOverO0,
    OptionalLong activationBytes,
    double lossDifference) {
  Row {
    roundMs = List.copyOf(roundMs);
  }
}
