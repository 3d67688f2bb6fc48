package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (logits, labels, d) → dlogits = d / M · (softmax(logits) − target) in the rows that count, 0 in
 * the others; M is the number of rows that count where the loss is a mean, and else 1: the gradient
 * of a {@link SoftmaxCrossEntropy}.
 *
 * <p>Shapes: logits and dlogits [N, C], labels [N], d that of the loss.
 */
public record SoftmaxCrossEntropyGradient(SoftmaxCrossEntropy of) implements Loss {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(3);
    of.reduction().requireGradient(must, 2, SoftmaxCrossEntropy.requireRows(must, in));
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
