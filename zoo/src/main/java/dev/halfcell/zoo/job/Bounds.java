package dev.halfcell.zoo.job;

import java.util.List;

/**
 * What limits a value.
 *
 * @param least the least number, or the fewest characters or entries
 * @param most the largest number, or the most characters or entries
 * @param positive whether a number has to be above 0 and finite in FP32
 * @param bytes whether a number counts bytes, and may have a unit
 * @param words the words that there are; none where any text may stand
 */
record Bounds(double least, double most, boolean positive, boolean bytes, List<String> words) {
  static Bounds of(Key key) {
    return new Bounds(key.least(), key.most(), key.positive(), key.bytes(), List.of(key.words()));
  }

  /** Nothing, as with what is only written. */
  static Bounds none() {
    return new Bounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, false, false, List.of());
  }

  /** What limits each entry of a list or map: its words, for numbers are those of entries. */
  Bounds ofEntries() {
    return new Bounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, false, bytes, words);
  }
}
