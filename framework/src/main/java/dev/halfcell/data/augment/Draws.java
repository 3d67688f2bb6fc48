package dev.halfcell.data.augment;

import dev.halfcell.op.random.RandomKey;

/**
 * The random numbers of one augmentation of one sample. They follow from the run's seed, the
 * augmentation's place in the list and the sample's running number, so that neither threads nor the
 * batch that a sample falls into change them.
 *
 * @param stream of a {@link RandomKey}
 * @param sample the running number of the sample since training began
 */
public record Draws(long stream, long sample) {
  /** A number in [0, 1): the same for the same index. */
  public double uniform(int index) {
    return RandomKey.uniform(stream, sample, index);
  }

  /** A whole number from 0 to {@code below} − 1. */
  public int below(int below, int index) {
    return (int) (uniform(index) * below);
  }
}
