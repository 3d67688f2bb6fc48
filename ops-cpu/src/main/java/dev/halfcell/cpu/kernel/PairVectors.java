package dev.halfcell.cpu.kernel;

import java.util.Optional;

/**
 * Pooling of 2 x 2 after ReLU and its gradient, row by row, in vectors on the bits of the numbers
 * where they lie: the same bits as over arrays on the heap. Addresses are those of rows.
 *
 * <p>One class for each width of numbers, and each loop written out: where the JIT does not inline
 * a helper, vectors stay objects (ADR 0007).
 */
sealed interface PairVectors permits HalfPairs, WordPairs {
  /**
   * The loops over operands of the dtype of {@code x}, or none where rows are shorter than a vector
   * or {@link VectorModule#usable} does not hold.
   */
  static Optional<PairVectors> of(Windows windows, Operand x) {
    if (!VectorModule.usable()) {
      return Optional.empty();
    }
    int infinity = RawPlane.infinity(x.dtype());
    if (x.dtype().half()) {
      return HalfPairs.fit(windows)
          ? Optional.of(new HalfPairs(windows, (short) infinity))
          : Optional.empty();
    }
    return WordPairs.fit(windows)
        ? Optional.of(new WordPairs(windows, infinity))
        : Optional.empty();
  }

  /**
   * Pools two rows of the image into the row {@code y}; returns whether there was no NaN. What was
   * written is of no use where there was one.
   */
  boolean pool(long upper, long lower, long y, long position);

  /** Spreads the row {@code d} over two rows of the image, where {@code maximum} is above 0. */
  void spread(long d, long maximum, long position, long upper, long lower);

  /** Fills a row of the image with zeros. */
  void clear(long row);
}
