package dev.halfcell.benchmarks;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One line of a comparison: a contender with the settings that suit it best.
 *
 * @param medianMs the median over the rounds of their median time of a step, in milliseconds
 * @param bestMs that of the best round
 * @param roundMs that of each round
 * @param timedSteps how many steps that count were taken in all rounds together
 * @param ratios how it stands to others
 * @param gflopPerSecond the step's operations over the median, in 10⁹ a second
 * @param shareOfPeak that over what the machine reached in this precision
 * @param bytes what the process of its trial held
 * @param lossDifference the largest difference of its first losses from HalfCell's at O0, relative
 *     to the first of them
 */
record Row(
    String name,
    String settings,
    double medianMs,
    double bestMs,
    List<Double> roundMs,
    int timedSteps,
    Ratios ratios,
    double gflopPerSecond,
    double shareOfPeak,
    Bytes bytes,
    double lossDifference) {
  Row {
    roundMs = List.copyOf(roundMs);
  }

  /**
   * How a median stands to those of others.
   *
   * @param overFp32Peer that of the fastest FP32 peer over this one: more than 1 is faster
   * @param overBf16Peer that of libtorch in BF16 over this one, for halves
   * @param timeOverO0 this one over that of HalfCell at O0, for HalfCell
   */
  record Ratios(
      OptionalDouble overFp32Peer, OptionalDouble overBf16Peer, OptionalDouble timeOverO0) {}
}
