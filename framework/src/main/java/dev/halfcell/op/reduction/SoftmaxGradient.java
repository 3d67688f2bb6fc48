package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, y) → y · (d − Σ d · y), sums along {@code axis}: the gradient of {@link Softmax}, y being its
 * output.
 */
public record SoftmaxGradient(int axis) implements Reduction {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(2)
        .floating(0)
        .axis(0, axis)
        .dtype(1, 2, in.getFirst().dtype())
        .shape(
            in.getFirst().equals(in.getLast()),
            "d and y of one shape",
            "Pass the output of Softmax.");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
