package dev.halfcell.zoo.job;

import dev.halfcell.nn.Cell;

/**
 * A cell of a network that is described as a list: its name under the key {@code cell}, and what
 * its constructor takes. This family is the table of the cells that there are.
 */
@Tagged("cell")
public sealed interface CellSpecification
    permits CombiningCell,
        ConvolutionCell,
        ElementwiseCell,
        NormalizationCell,
        PoolingCell,
        SequenceCell {
  /**
   * The cell, made anew.
   *
   * @throws dev.halfcell.tensor.ArgumentException where a number makes no sense to it
   */
  Cell build();
}
