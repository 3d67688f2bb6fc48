package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.tensor.Tensor;

/**
 * (logits [T, N, C], labels [N, S], input lengths [N], label lengths [N]) → the loss of labels
 * whose places in time are not known: the mean over the batch of each sample's by its number of
 * labels; or, not divided by that number, their sum or each of them, [N]. Op: {@link CtcLoss}.
 */
public final class CTCLoss extends Cell {
  private final CtcLoss op;

  /** Class 0 is the blank, and labels that cannot be aligned give an infinite loss. */
  public CTCLoss() {
    this(0, false);
  }

  /**
   * The loss with another blank.
   *
   * @param zeroInfinity whether labels that cannot be aligned add nothing instead
   */
  public CTCLoss(int blank, boolean zeroInfinity) {
    this(blank, LossReduction.MEAN, zeroInfinity);
  }

  /** The loss of another reduction. */
  public CTCLoss(int blank, LossReduction reduction, boolean zeroInfinity) {
    op = new CtcLoss(blank, reduction, zeroInfinity);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    f.expect(4, inputs);
    return f.ops().run(op, inputs);
  }
}
