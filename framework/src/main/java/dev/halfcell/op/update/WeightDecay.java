package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** What all optimizer rules share: their weight decay and the shape of their inputs. */
final class WeightDecay {
  private WeightDecay() {}

  static void require(double weightDecay) {
    ArgumentException.require(
        weightDecay >= 0 && Double.isFinite(weightDecay),
        "weight decay",
        "a finite number, at least 0",
        weightDecay);
  }

  /** Demands {@code alike} equal floating specs, then a learning rate. */
  static Requirements require(Op op, List<TensorSpec> in, CellPath at, int alike, int count) {
    return new Requirements(op, in, at)
        .count(count)
        .floating(0)
        .shape(
            in.subList(0, alike).stream().distinct().count() == 1,
            "parameter, slots and gradient of one shape and dtype",
            "Gradients of parameters are fp32 and have the parameter's shape.")
        .floating(alike)
        .rank(alike, 0, "[]");
  }
}
