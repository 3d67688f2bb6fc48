package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;

/**
 * A fully connected layer, y = x · weightᵀ + bias.
 *
 * <p>Shapes: x [..., inputs] of at least two axes, y [..., outputs]; parameters weight [outputs,
 * inputs], bias [outputs]. Unless told otherwise the weight starts as {@link Initializer.HeNormal}
 * and the bias at zero. Op: {@link dev.halfcell.op.linear.Dense}.
 */
public final class Dense extends Cell {
  private final Parameter weight;
  private final Parameter bias;

  /** A layer from {@code inputs} to {@code outputs} features. */
  public Dense(int inputs, int outputs) {
    this(inputs, outputs, new Initializer.HeNormal(), new Initializer.Constant(0));
  }

  /** The same with other start values. */
  public Dense(int inputs, int outputs, Initializer weights, Initializer biases) {
    ArgumentException.require(inputs >= 1, "Dense", "at least 1 input feature", inputs);
    ArgumentException.require(outputs >= 1, "Dense", "at least 1 output feature", outputs);
    weight = parameter("weight", weights, outputs, inputs);
    bias = parameter("bias", biases, outputs);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().dense(f.only(inputs), f.read(weight), f.read(bias));
  }
}
