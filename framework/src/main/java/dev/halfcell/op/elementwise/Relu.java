package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = max(x, 0); a NaN stays one.
 *
 * <p>Gradient: d where y &gt; 0, else 0, so that only the output is kept.
 */
public record Relu() implements Elementwise {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).floating(0);
    return in;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    return List.of(b.ops().run(new ReluGradient(), d, b.ops().cast(b.out(0), d.dtype())));
  }
}
