package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (a, b) → whether the comparison holds at each place, where an axis that is missing or of size 1
 * is repeated.
 *
 * <p>Shapes: a and b broadcast to y. Dtypes: a and b alike, of any dtype; y BOOL. No gradient.
 * Source: NumPy, {@code numpy.less} and its kin; IEEE 754-2019, 5.11.
 */
public record Compare(Comparison comparison) implements Elementwise {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2).dtype(1, 2, in.getFirst().dtype());
    return List.of(new TensorSpec(DType.BOOL, Broadcast.require(must, 0, 1)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
