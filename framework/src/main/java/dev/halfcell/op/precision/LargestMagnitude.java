package dev.halfcell.op.precision;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (gradients ...) → max |g| over all elements of all of them, in FP32; NaN where one is NaN. For
 * loss scales that follow statistics, {@link LossScale#readsLargest}.
 *
 * <p>Shapes: gradients any; the result a scalar.
 */
public record LargestMagnitude() implements Precision {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1, Integer.MAX_VALUE);
    for (int i = 0; i < in.size(); i++) {
      must.floating(i)
          .dtype(
              in.get(i).dtype().wide() == in.getFirst().dtype().wide(),
              "gradients that are all fp64, or none",
              "Cast them to one dtype.");
    }
    return List.of(TensorSpec.of(in.getFirst().dtype().wide()));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
