package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.tensor.Tensor;
import java.util.OptionalLong;

/**
 * (logits [N, C], labels [N]) → the mean cross entropy of the rows whose labels are not ignored, 0
 * where all are; or the sum, or [N], 0 in ignored rows, as the reduction says. Op: {@link
 * SoftmaxCrossEntropy}.
 */
public final class SoftmaxCrossEntropyLoss extends Cell {
  private final SoftmaxCrossEntropy op;

  /** Each label asks for its class alone, and each counts. */
  public SoftmaxCrossEntropyLoss() {
    this(LossReduction.MEAN);
  }

  /** The same with another reduction. */
  public SoftmaxCrossEntropyLoss(LossReduction reduction) {
    this(Targets.PLAIN, reduction);
  }

  /** Labels ask for 1 − {@code labelSmoothing} and a share of the rest. */
  public SoftmaxCrossEntropyLoss(double labelSmoothing) {
    this(new Targets(labelSmoothing, OptionalLong.empty()), LossReduction.MEAN);
  }

  /** Rows with the label {@code ignoreIndex} are left out of the mean. */
  public SoftmaxCrossEntropyLoss(double labelSmoothing, long ignoreIndex) {
    this(new Targets(labelSmoothing, OptionalLong.of(ignoreIndex)), LossReduction.MEAN);
  }

  /** What labels ask for as {@code targets} say, and another reduction. */
  public SoftmaxCrossEntropyLoss(Targets targets, LossReduction reduction) {
    op = new SoftmaxCrossEntropy(targets, reduction);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    f.expect(2, inputs);
    return f.ops().run(op, inputs);
  }
}
