package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (applied[, factor]) → the rate that {@link Schedule#rate} gives, times factor, in FP32; applied
 * is an INT64 scalar, the steps applied before this one, factor an FP32 scalar, that of a {@link
 * Plateau}.
 */
public record LearningRate(Schedule schedule) implements Update {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    int count = schedule.plateau().isPresent() ? 2 : 1;
    Requirements requirements =
        new Requirements(this, in, at).count(count).dtype(0, 1, DType.INT64).rank(0, 0, "[]");
    if (count == 2) {
      requirements.floating(1).rank(1, 0, "[]");
    }
    return List.of(TensorSpec.of(DType.FP32));
  }
}
