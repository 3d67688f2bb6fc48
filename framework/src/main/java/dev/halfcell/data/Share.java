package dev.halfcell.data;

import dev.halfcell.tensor.ArgumentException;

/**
 * Which batches one of several ranks takes that train together: the ranks take turns, batch by
 * batch, in the order of their numbers. So a step of all of them is one on the samples of a single
 * cursor with a batch as large as theirs together, with the same numbers, by which random ops draw.
 * What is left at the end of an epoch is shared out evenly; fewer samples than ranks are left out.
 *
 * @param rank the number of this rank, from 0
 * @param ranks how many there are
 */
public record Share(int rank, int ranks) {
  public Share {
    ArgumentException.require(ranks >= 1, "ranks", "at least 1", ranks);
    ArgumentException.require(
        rank >= 0 && rank < ranks, "rank", "0 to " + (ranks - 1) + " of " + ranks + " ranks", rank);
  }

  /** Of the only rank: everything. */
  public static Share whole() {
    return new Share(0, 1);
  }
}
