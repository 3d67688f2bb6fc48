package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = multiplier · x + addend, with numbers that are part of the op: what negates, scales and
 * shifts. Gradient: multiplier · d; nothing is kept for it.
 */
public record Affine(double multiplier, double addend) implements Elementwise {
  public Affine {
    ArgumentException.require(
        Double.isFinite(multiplier), "Affine multiplier", "a finite number", multiplier);
    ArgumentException.require(Double.isFinite(addend), "Affine addend", "a finite number", addend);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).floating(0);
    return in;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().scale(b.d(0), multiplier));
  }
}
