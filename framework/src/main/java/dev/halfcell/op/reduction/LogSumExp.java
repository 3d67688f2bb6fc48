package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = m + ln Σ e^(x − m) over {@code axes}, which disappear, m being the largest x, so that nothing
 * overflows; −infinity where all x are. Gradient: d · e^(x − y); a NaN where y is infinite.
 */
public record LogSumExp(List<Integer> axes) implements Reduction {
  public LogSumExp {
    axes = List.copyOf(axes);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1).floating(0);
    return List.of(in.getFirst().as(Reduction.without(must, axes)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Ops ops = b.ops();
    Tensor d = b.d(0);
    Tensor x = ops.cast(b.in(0), d.dtype());
    Tensor y = ops.keepAxes(ops.cast(b.out(0), d.dtype()), x, axes);
    return List.of(ops.mul(ops.exp(ops.sub(x, y)), ops.keepAxes(d, x, axes)));
  }
}
