package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.tensor.Tensor;
import java.util.OptionalLong;

/**
 * (logits [N, C], labels [N]) → the mean cross entropy; 0 where all labels are ignored. Op: {@link
 * SoftmaxCrossEntropy}.
 */
public final class SoftmaxCrossEntropyLoss extends Cell {
  private final SoftmaxCrossEntropy op;

  /** Each label asks for its class alone, and each counts. */
  public SoftmaxCrossEntropyLoss() {
    this(Targets.PLAIN);
  }

  /** Labels ask for 1 − {@code labelSmoothing} and a share of the rest. */
  public SoftmaxCrossEntropyLoss(double labelSmoothing) {
    this(new Targets(labelSmoothing, OptionalLong.empty()));
  }

  /** Rows with the label {@code ignoreIndex} are left out of the mean. */
  public SoftmaxCrossEntropyLoss(double labelSmoothing, long ignoreIndex) {
    this(new Targets(labelSmoothing, OptionalLong.of(ignoreIndex)));
  }

  private SoftmaxCrossEntropyLoss(Targets targets) {
    op = new SoftmaxCrossEntropy(targets);
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
