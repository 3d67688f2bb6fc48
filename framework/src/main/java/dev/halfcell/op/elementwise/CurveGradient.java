package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, kept) → d · derivative(kept): the gradient of a {@link Curve}, kept being its input or output
 * as the curve says.
 */
public record CurveGradient(Curve of) implements Elementwise {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(2)
        .floating(0)
        .dtype(1, 2, in.getFirst().dtype())
        .shape(
            in.getFirst().equals(in.getLast()),
            "d and what was kept of one shape",
            "Pass the input or output of " + of.label() + ".");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
