package dev.halfcell.train;

import dev.halfcell.tensor.ArgumentException;

/**
 * What becomes of a batch whose loss or gradients are not finite. Its step is refused under each of
 * these: no parameter, slot, statistic or schedule moves, and the loss scale does what its rule
 * says.
 */
public sealed interface OverflowPolicy {
  /** The batch is left out; the default. */
  static OverflowPolicy skip() {
    return new Skip();
  }

  /** The batch is tried again, at most {@code max} times. */
  static OverflowPolicy retrySameBatch(int max) {
    return new RetrySameBatch(max);
  }

  /** The training ends at once. */
  static OverflowPolicy fail() {
    return new Fail();
  }

  /** How often a batch is tried. */
  int tries();

  /** Goes on with the next batch. */
  record Skip() implements OverflowPolicy {
    @Override
    public int tries() {
      return 1;
    }
  }

  /**
   * The same batch again, with the loss scale that has fallen and the same random numbers, until
   * its step is applied. A batch whose loss is not finite is not tried again: the loss does not
   * depend on the scale. What is refused to the last is left out.
   *
   * @param max how often it is tried again
   */
  record RetrySameBatch(int max) implements OverflowPolicy {
    public RetrySameBatch {
      ArgumentException.require(max >= 1, "retrySameBatch", "at least 1 more try", max);
    }

    @Override
    public int tries() {
      return max + 1;
    }
  }

  /** Throws a {@link dev.halfcell.tensor.NonFiniteException} that names the first offender. */
  record Fail() implements OverflowPolicy {
    @Override
    public int tries() {
      return 1;
    }
  }
}
