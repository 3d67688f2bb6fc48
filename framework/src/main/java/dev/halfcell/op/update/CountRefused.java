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
    new Requirements(this, in, at)
        .count(2)
        .dtype(0, 1, DType.INT64)
        .dtype(1, 2, DType.BOOL)
        .rank(0, 0, "[]")
        .rank(1, 0, "[]");
    return in.subList(0, 1);
  }
}
