package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** (n, good) → 0 where good, else n + 1: how many were not good, one after another; INT64. */
public record CountRefused() implements Update {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).scalars(DType.INT64, DType.BOOL);
    return in.subList(0, 1);
  }
}
