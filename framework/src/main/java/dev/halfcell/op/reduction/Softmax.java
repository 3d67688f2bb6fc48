package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = e^(x − m) / Σ e^(x − m) along {@code axis}, m being the largest x there, so that nothing
 * overflows. Where all x are −infinity, or one is +infinity, y is a NaN all along.
 *
 * <p>Shapes: any, y as x. Gradient: y · (d − Σ d · y), from y alone. Source: Goodfellow, Bengio and
 * Courville, "Deep Learning", 2016, section 4.1.
 */
public record Softmax(int axis) implements Reduction {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).floating(0).axis(0, axis);
    return in;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    return List.of(b.ops().run(new SoftmaxGradient(axis), d, b.ops().cast(b.out(0), d.dtype())));
  }
}
