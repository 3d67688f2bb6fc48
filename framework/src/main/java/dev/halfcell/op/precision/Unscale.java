package dev.halfcell.op.precision;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (gradient, scale) → gradient / scale, in FP32, the reciprocal taken in double.
 *
 * <p>Shapes: the gradient any, the scale a scalar. Source: PyTorch, GradScaler._unscale_grads_
 * (reciprocal in double).
 */
public record Unscale() implements Precision {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(2)
        .dtype(
            in.get(0).dtype() == in.get(0).dtype().wide() && in.get(0).dtype().floating(),
            "a gradient in fp32",
            "Gradients of parameters leave their kernels in fp32.")
        .floating(1)
        .rank(1, 0, "[]");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
