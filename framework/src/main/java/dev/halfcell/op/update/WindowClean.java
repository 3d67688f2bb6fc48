package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (finite, taken, kept) → whether the loss scale may count this window as clean: the step is finite
 * and no micro-batch was dropped.
 */
public record WindowClean() implements Window {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).scalars(DType.BOOL, DType.INT64, DType.INT64);
    return in.subList(0, 1);
  }
}
