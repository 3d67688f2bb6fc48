package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (w, gradient, rate) → w − rate · (gradient + weightDecay · w).
 *
 * <p>Shapes: w and gradient alike, rate a scalar.
 */
public record SgdRule(double weightDecay) implements Update {
  public SgdRule {
    WeightDecay.require(weightDecay);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    WeightDecay.require(this, in, at, 2, 3);
    return in.subList(0, 1);
  }
}
