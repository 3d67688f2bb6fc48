package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (applied) → the rate that {@link Schedule#rate} gives, in FP32; applied is an INT64 scalar, the
 * steps applied before this one.
 */
public record LearningRate(Schedule schedule) implements Update {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).dtype(0, 1, DType.INT64).rank(0, 0, "[]");
    return List.of(TensorSpec.of(DType.FP32));
  }
}
