package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (logits, labels) → the mean over the rows that count of −Σ over c of target[c] · log
 * softmax(logits)[c], where the targets are 1 for the label's class unless {@link Targets} smooth
 * them. Where no row counts the loss is 0, and so is its gradient: there is nothing to learn from.
 *
 * <p>Shapes: logits [N, C], labels [N] from 0 to C − 1, the loss a scalar. Gradient: by the logits
 * only, see {@link SoftmaxCrossEntropyGradient}. Error: a label outside 0 to C − 1 that is not the
 * ignored one is a {@link dev.halfcell.tensor.DataException} when it is computed on.
 */
public record SoftmaxCrossEntropy(Targets targets) implements Loss {
  /** Without smoothing, and with no label ignored. */
  public SoftmaxCrossEntropy() {
    this(Targets.PLAIN);
  }

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
    SoftmaxCrossEntropyGradient gradient = new SoftmaxCrossEntropyGradient(targets);
    return List.of(b.ops().run(gradient, b.in(0), b.in(1), b.d()));
  }
}
