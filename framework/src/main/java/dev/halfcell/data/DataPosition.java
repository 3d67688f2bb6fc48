package dev.halfcell.data;

import dev.halfcell.tensor.ArgumentException;

/**
 * A place in a training: before a sample of an epoch. With a data set and a sampler it says which
 * samples come next.
 *
 * @param epoch the epoch, from 0
 * @param sample how many samples of that epoch lie behind it
 */
public record DataPosition(int epoch, int sample) {
  public DataPosition {
    ArgumentException.require(epoch >= 0, "data position", "an epoch from 0 on", epoch);
    ArgumentException.require(sample >= 0, "data position", "a sample from 0 on", sample);
  }

  /** Before the first sample. */
  public static DataPosition start() {
    return new DataPosition(0, 0);
  }
}
