package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (applied, loss, scale, next scale) → whether going on may help, a BOOL scalar: the step was
 * applied, or its loss was finite and the loss scale fell.
 *
 * <p>Shapes: scalars.
 */
public record Hopeful() implements Update {
  /** The answer. */
  public static boolean of(boolean applied, double loss, double scale, double next) {
    return applied || (Double.isFinite(loss) && next < scale);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at)
            .count(4)
            .dtype(0, 1, DType.BOOL)
            .floating(1)
            .floating(2)
            .floating(3);
    for (int i = 0; i < in.size(); i++) {
      must.rank(i, 0, "[]");
    }
    return in.subList(0, 1);
  }
}
