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
 * (scale, clean steps, finite) → the next scale and clean steps, as {@link LossScale#next} says.
 *
 * <p>Shapes: scalars. Dtypes: FP32, INT64, BOOL.
 */
public record ScaleUpdate(LossScale rule) implements Precision {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(3)
        .dtype(0, 1, DType.FP32)
        .dtype(1, 2, DType.INT64)
        .dtype(2, 3, DType.BOOL)
        .rank(0, 0, "[]")
        .rank(1, 0, "[]")
        .rank(2, 0, "[]");
    return in.subList(0, 2);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
