package dev.halfcell.op.precision;

import dev.halfcell.op.Backward;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * The same values in another dtype.
 *
 * <p>Gradient: d cast back, to nearest even, between floating dtypes; d as well where the value
 * overflowed, as if nothing had been cut off. The cast back itself gives infinities, whatever
 * {@link #overflow} says: the gradient check has to see what a loss scale made too large.
 */
public sealed interface Casting extends Precision permits Cast, StochasticCast {
  /** The dtype of the result. */
  DType to();

  /** What becomes of what is too large for a floating dtype. */
  CastOverflow overflow();

  @Override
  default PrecisionClass precision() {
    return PrecisionClass.KEEP;
  }

  @Override
  default List<Tensor> gradient(Backward b) {
    if (!b.in(0).dtype().floating()) {
      return List.of(); // whole numbers have no gradient, and so does what comes of them
    }
    return List.of(b.ops().cast(b.d(), b.wide(0) ? b.in(0).dtype().wide() : b.in(0).dtype()));
  }
}
