package dev.halfcell.amp.scale;

import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * A loss scale for loops that run op by op and multiply and divide themselves. In a {@link
 * dev.halfcell.train.Recipe} the step does that.
 *
 * <p>Source: MindSpore, amp.LossScaler.
 */
public sealed interface LossScaler extends ScaleSource permits StaticLossScaler, DynamicLossScaler {
  /** The scale now. */
  double scaleValue();

  /** Moves the scale after a step; says whether it is one that may move. */
  boolean adjust(boolean gradsFinite);

  /** x · scale, in the dtype of x. */
  default Tensor scale(Ops ops, Tensor x) {
    return ops.scale(x, scaleValue());
  }

  /** x / scale, in the dtype of x. */
  default Tensor unscale(Ops ops, Tensor x) {
    return ops.scale(x, 1 / scaleValue());
  }

  /** Whether every element of all these tensors is finite: a BOOL scalar. */
  static Tensor allFinite(Ops ops, List<Tensor> tensors) {
    ArgumentException.require(!tensors.isEmpty(), "allFinite", "at least one tensor", tensors);
    Tensor largest = ops.run(new LargestMagnitude(), tensors.toArray(Tensor[]::new));
    return ops.runAll(new GradientCheck(), largest).getFirst();
  }
}
