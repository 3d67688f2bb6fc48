package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (logits, labels) → the mean over the batch of −log softmax(logits)[label].
 *
 * <p>Shapes: logits [N, C], labels [N] from 0 to C − 1, the loss a scalar. Gradient: by the logits
 * only, see {@link SoftmaxCrossEntropyGradient}. Error: a label outside 0 to C − 1 is a {@link
 * dev.halfcell.tensor.DataException} when it is computed on.
 */
public record SoftmaxCrossEntropy() implements Loss {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    requireLabels(new Requirements(this, in, at).count(2), in);
    return List.of(TensorSpec.of(in.getFirst().dtype().wide()));
  }

  static void requireLabels(Requirements must, List<TensorSpec> in) {
    must.floating(0).integer(1).rank(0, 2, "[N, C]").rank(1, 1, "[N]");
    must.shape(
        in.get(0).dim(0) == in.get(1).dim(0),
        "a label for each of " + in.getFirst().dim(0) + " rows of logits",
        "Labels are class numbers, not one-hot rows.");
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().run(new SoftmaxCrossEntropyGradient(), b.in(0), b.in(1), b.d()));
  }
}
