package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = the mean of x over {@code axes}, which disappear: their sum over their count, rounded once,
 * so that no sum overflows a half dtype. Gradient: d / count, repeated along them.
 */
public record Mean(List<Integer> axes) implements Reduction {
  public Mean {
    axes = List.copyOf(axes);
  }

  /** How many elements of a tensor of this shape make one mean. */
  public long count(Shape x) {
    return axes.stream().mapToLong(x::dim).reduce(1, Math::multiplyExact);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1).floating(0);
    return List.of(in.getFirst().as(Reduction.without(must, axes)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Shape x = b.in(0).shape();
    return List.of(b.ops().repeat(b.ops().scale(b.d(0), 1.0 / count(x)), x, axes));
  }
}
