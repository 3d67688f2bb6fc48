package dev.halfcell.cpu.kernel;

import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Takes the samples of a part through what is made for a fixed number of them: for a unit, and for
 * what is left behind the last unit.
 *
 * @param unit how many samples at a time
 * @param whole computes a unit from a sample on
 * @param rest computes the last samples, from the first of these on
 */
record SampleUnits(int unit, IntConsumer whole, IntConsumer rest) {
  private static void nothing(int sample) {}

  /**
   * @param count the samples of the part
   * @param maker what computes so many
   */
  static SampleUnits of(int count, int unit, IntFunction<IntConsumer> maker) {
    int left = count % unit;
    return new SampleUnits(
        unit,
        count >= unit ? maker.apply(unit) : SampleUnits::nothing,
        left > 0 ? maker.apply(left) : SampleUnits::nothing);
  }

  /** Computes samples {@code from} to {@code to}: units, and in the end the rest of the part. */
  void run(int from, int to) {
    int sample = from;
    for (; to - sample >= unit; sample += unit) {
      whole.accept(sample);
    }
    if (sample < to) {
      rest.accept(sample);
    }
  }
}
