package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (logits, labels, d) → dlogits = d / M · (softmax(logits) − target) in the M rows that count, 0 in
 * the others: the gradient of {@link SoftmaxCrossEntropy}.
 *
 * <p>Shapes: logits and dlogits [N, C], labels [N], d a scalar.
 */
public record SoftmaxCrossEntropyGradient(Targets targets) implements Loss {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(3).floating(2).rank(2, 0, "[]");
    SoftmaxCrossEntropy.requireLabels(must, in);
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return b.none();
  }
}
