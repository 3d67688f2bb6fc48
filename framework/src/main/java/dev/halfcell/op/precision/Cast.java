package dev.halfcell.op.precision;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * The same values in another floating dtype, rounded to nearest even; what is too large becomes an
 * infinity. Gradient: d cast back.
 */
public record Cast(DType to) implements Precision {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.KEEP;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(1)
        .floating(0)
        .dtype(
            to.floating(),
            "a floating dtype to cast to, not " + to.label(),
            "Integers are never cast.");
    return List.of(in.getFirst().as(to));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().cast(b.d(), b.wide(0) ? b.in(0).dtype().wide() : b.in(0).dtype()));
  }
}
