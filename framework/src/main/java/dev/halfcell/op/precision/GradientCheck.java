package dev.halfcell.op.precision;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (loss, gradients ...) → finite, norm: whether the loss and every element of every gradient is
 * finite, and the Euclidean norm of all gradients together, √Σ g².
 *
 * <p>Shapes: the loss a scalar, gradients any; finite a BOOL scalar, norm an FP64 scalar: finite
 * gradients may have a norm beyond FP32, by which they are to be clipped like any others.
 */
public record GradientCheck() implements Precision {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1, Integer.MAX_VALUE).rank(0, 0, "[]");
    for (int i = 0; i < in.size(); i++) {
      must.floating(i);
    }
    return List.of(TensorSpec.of(DType.BOOL), TensorSpec.of(DType.FP64));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
