package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (logits, labels) → for each row −Σ over c of target[c] · log softmax(logits)[c], reduced, where
 * the targets are 1 for the label's class unless {@link Targets} smooth them. Rows that do not
 * count have the loss 0, and a mean is over those that do; where none does it is 0, and so is the
 * gradient: there is nothing to learn from.
 *
 * <p>Shapes: logits [N, C], labels [N] from 0 to C − 1, the loss a scalar, or [N] with {@link
 * LossReduction#NONE}. Gradient: by the logits only, see {@link SoftmaxCrossEntropyGradient}.
 * Error: a label outside 0 to C − 1 that is not the ignored one is a {@link
 * dev.halfcell.tensor.DataException} when it is computed on.
 */
public record SoftmaxCrossEntropy(Targets targets, LossReduction reduction) implements Loss {
  /** The mean, without smoothing, and with no label ignored. */
  public SoftmaxCrossEntropy() {
    this(Targets.PLAIN);
  }

  /** The mean. */
  public SoftmaxCrossEntropy(Targets targets) {
    this(targets, LossReduction.MEAN);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Shape rows = requireRows(new Requirements(this, in, at).count(2), in);
    return List.of(new TensorSpec(in.getFirst().dtype().wide(), reduction.of(rows)));
  }

  /** The shape of one number a row. */
  static Shape requireRows(Requirements must, List<TensorSpec> in) {
    must.floating(0).integer(1).rank(0, 2, "[N, C]").rank(1, 1, "[N]");
    must.shape(
        in.get(0).dim(0) == in.get(1).dim(0),
        "a label for each of " + in.getFirst().dim(0) + " rows of logits",
        "Labels are class numbers, not one-hot rows.");
    return in.get(1).shape();
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    SoftmaxCrossEntropyGradient gradient = new SoftmaxCrossEntropyGradient(this);
    return List.of(b.ops().run(gradient, b.in(0), b.in(1), b.d()));
  }
}
