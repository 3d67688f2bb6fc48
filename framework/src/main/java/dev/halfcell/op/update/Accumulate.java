package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** (sum, x, count) → sum + x, or x alone where count, an INT64 scalar, is 0: the window begins. */
public record Accumulate() implements Window {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(3)
        .floating(0)
        .shape(in.get(0).equals(in.get(1)), "a sum and what is added alike", "Add what is alike.")
        .dtype(2, 3, DType.INT64)
        .rank(2, 0, "[]");
    return in.subList(0, 1);
  }
}
