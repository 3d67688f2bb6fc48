package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.ElementLossGradient;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import java.util.List;
import java.util.Optional;

/** Losses over a batch and their gradients, summed in double. */
final class LossKernels {
  private LossKernels() {}

  static void build(
      KernelBuilder builder, Loss op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case ElementLoss loss -> ElementLosses.loss(builder, loss, in, out.getFirst());
      case ElementLossGradient(ElementLoss loss) ->
          ElementLossSlopes.build(builder, loss, in, out.getFirst());
      case SoftmaxCrossEntropy loss ->
          new CrossEntropy(loss, op.label(), at, in, Optional.empty())
              .build(builder, Optional.of(out.getFirst()));
      case SoftmaxCrossEntropyGradient(SoftmaxCrossEntropy loss) ->
          new CrossEntropy(loss, op.label(), at, in, Optional.of(out.getFirst()))
              .build(builder, Optional.empty());
      case CtcLoss ctc -> CtcBatch.build(builder, ctc, in, out, at);
    }
  }
}
