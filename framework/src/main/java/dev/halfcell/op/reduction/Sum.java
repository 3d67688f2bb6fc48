package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = the sum of x over {@code axes}, which disappear. Gradient: d repeated along them.
 *
 * @param wide whether the accumulator leaves unrounded, in FP32: the gradient of a parameter
 */
public record Sum(List<Integer> axes, boolean wide) implements Reduction {
  public Sum {
    axes = List.copyOf(axes);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1).floating(0);
    DType dtype = in.getFirst().dtype();
    return List.of(new TensorSpec(wide ? dtype.wide() : dtype, Reduction.without(must, axes)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.ops().cast(b.d(), b.wide(0) ? b.in(0).dtype().wide() : b.in(0).dtype());
    return List.of(b.ops().repeat(d, b.in(0).shape(), axes));
  }
}
