package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (pending, statistic, kept) → the running statistic that a micro-batch starts from: pending, which
 * the window's micro-batches have moved, or the statistic itself where none was kept yet.
 */
public record WindowStatistic() implements Window {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(3)
        .floating(0)
        .shape(in.get(0).equals(in.get(1)), "two statistics alike", "Both are of one cell.")
        .dtype(2, 3, DType.INT64)
        .rank(2, 0, "[]");
    return in.subList(0, 1);
  }
}
