package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, gamma, beta, mean, variance) → y = gamma · (x − mean) / √(variance + epsilon) + beta: batch
 * normalisation with given statistics, for evaluation.
 *
 * <p>Shapes: x and y [N, C, ...], the others [C]. Not differentiable: it is for evaluation only.
 */
public record Normalize(double epsilon) implements Normalization {
  @Override
  public boolean castable(int input) {
    return input == 0;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Normalization.require(this, in, at, 0, 1, 5);
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return b.none();
  }
}
