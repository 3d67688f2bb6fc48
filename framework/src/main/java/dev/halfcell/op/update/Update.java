package dev.halfcell.op.update;

import dev.halfcell.op.Backward;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * What turns gradients into new parameters. FP32, pure, below the tape: none of these has a
 * gradient.
 */
public sealed interface Update extends Op
    permits Clip, CountRefused, Hopeful, Increment, LearningRate, RowsRule, UpdateRule, Window {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  default List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
