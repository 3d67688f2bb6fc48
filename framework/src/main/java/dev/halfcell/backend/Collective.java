package dev.halfcell.backend;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.collective.AllReduce;
import dev.halfcell.tensor.Tensor;

/**
 * The ranks that train together. A plan is compiled for its place among them. Each rank computes on
 * a backend of its own: it waits for the others in the middle of a step.
 */
public interface Collective {
  /** This rank's number, from 0. */
  int rank();

  /** How many ranks there are. */
  int size();

  /**
   * Puts in the place of these values what all ranks' values make, the same bits on each of them.
   * Returns when all ranks have come here.
   *
   * @param at on whose behalf, for errors
   * @throws dev.halfcell.tensor.HalfCellException naming the rank that did not come, or came with
   *     something else
   */
  void allReduce(AllReduce.Reduction reduction, Tensor values, CellPath at);

  /** A rank of its own. */
  static Collective single() {
    return new Single();
  }

  /** The only rank there is. */
  record Single() implements Collective {
    @Override
    public int rank() {
      return 0;
    }

    @Override
    public int size() {
      return 1;
    }

    /** Does nothing: what it has is what all have. */
    @Override
    public void allReduce(AllReduce.Reduction reduction, Tensor values, CellPath at) {}
  }
}
