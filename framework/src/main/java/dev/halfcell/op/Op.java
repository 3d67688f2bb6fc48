package dev.halfcell.op;

import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.update.Update;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * One operation as data. Everything that is true of it on every backend stands in its record:
 * formula, shape rule, precision class and gradient. Ops are pure: running statistics, optimizer
 * slots and counters are inputs and outputs. Immutable.
 */
public sealed interface Op
    permits Elementwise,
        SumOfProducts,
        Attention,
        Pooling,
        Normalization,
        Recurrent,
        Reduction,
        Rearrangement,
        Indexing,
        Loss,
        RandomOp,
        CollectiveOp,
        Precision,
        Host,
        Update {
  /** What the op asks of a precision plan. */
  PrecisionClass precision();

  /**
   * The specs of the outputs.
   *
   * @throws dev.halfcell.tensor.ShapeException where the shapes do not fit
   * @throws dev.halfcell.tensor.DTypeException where the dtypes do not fit
   */
  List<TensorSpec> infer(List<TensorSpec> in, CellPath at);

  /**
   * The gradients of the leading inputs, in order, as ops; inputs after those are not
   * differentiable. A gradient op is not differentiable itself and throws.
   */
  List<Tensor> gradient(Backward b);

  /**
   * How many leading outputs a loss may depend on; those after them, such as positions and saved
   * statistics, have no gradient.
   */
  default int differentiableOutputs() {
    return 1;
  }

  /**
   * Whether a precision plan may cast this input; scales and shifts of a normalisation stay as they
   * are.
   */
  default boolean castable(int input) {
    return true;
  }

  /**
   * How many products the op sums, the unit in which the cost of a network is given; 0 for an op
   * that is not made of sums of products.
   */
  default long multiplyAdds(List<TensorSpec> in) {
    return 0;
  }

  /** The floating-point operations: two for each product that is summed, none for all else. */
  default long flops(List<TensorSpec> in) {
    return 2 * multiplyAdds(in);
  }

  /** The name in messages and plans. */
  default String label() {
    return getClass().getSimpleName();
  }
}
