package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.CtcLossGradient;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.ElementLossGradient;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.loss.Targets;
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
          ElementLosses.gradient(builder, loss, in, out.getFirst());
      case SoftmaxCrossEntropy(Targets targets) ->
          new CrossEntropy(targets, op.label(), at, in, Optional.empty())
              .build(builder, Optional.of(out.getFirst()));
      case SoftmaxCrossEntropyGradient(Targets targets) ->
          new CrossEntropy(targets, op.label(), at, in, Optional.of(out.getFirst()))
              .build(builder, Optional.empty());
      case CtcLoss ctc -> CtcBatch.build(builder, ctc, in, out, at);
      case CtcLossGradient() -> scale(builder, in, out);
    }
  }

  /** (slope, d) → d · slope. */
  private static void scale(KernelBuilder builder, List<Operand> in, List<Operand> out) {
    Operand d = in.getLast();
    Flat.stage(
        builder,
        in.subList(0, 1),
        out,
        (from, to, count, _) -> {
          float factor = (float) Scalars.get(d);
          for (int i = 0; i < count; i++) {
            to[0][i] = factor * from[0][i];
          }
        });
  }
}
