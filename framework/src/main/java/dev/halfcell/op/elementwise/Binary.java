package dev.halfcell.op.elementwise;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (a, b) → y = value(a, b) at each place, where an axis that is missing or of size 1 is repeated.
 *
 * <p>Shapes: a and b broadcast to y. Dtypes: a and b alike, floating, and y as they are. Source:
 * NumPy, "Broadcasting", general rules.
 */
public sealed interface Binary extends Elementwise permits Add, Mul, Sloped, Sub {
  /** The result at one place, before it is rounded. */
  double value(double a, double b);

  @Override
  default List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(2).floating(0).dtype(1, 2, in.getFirst().dtype());
    return List.of(in.getFirst().as(Broadcast.require(must, 0, 1)));
  }
}
