package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.Optional;

/**
 * A fully connected layer, y = x · weightᵀ + bias.
 *
 * <p>Shapes: x [..., inputs] of at least two axes, y [..., outputs]; parameters weight [outputs,
 * inputs] and, unless left out, bias [outputs]. Unless told otherwise the weight starts as {@link
 * Initializer.HeNormal} and the bias at zero. Op: {@link dev.halfcell.op.linear.Dense}.
 */
public final class Dense extends Cell {
  private final Parameter weight;
  private final Optional<Parameter> bias;

  /** A layer from {@code inputs} to {@code outputs} features. */
  public Dense(int inputs, int outputs) {
    this(inputs, outputs, true);
  }

  /** The same, with a bias or, as in front of a normalisation, without. */
  public Dense(int inputs, int outputs, boolean hasBias) {
    this(inputs, outputs, hasBias, new Initializer.HeNormal(), new Initializer.Constant(0));
  }

  /** A layer with a bias and other start values. */
  public Dense(int inputs, int outputs, Initializer weights, Initializer biases) {
    this(inputs, outputs, true, weights, biases);
  }

  private Dense(int inputs, int outputs, boolean hasBias, Initializer weights, Initializer biases) {
    ArgumentException.require(inputs >= 1, "Dense", "at least 1 input feature", inputs);
    ArgumentException.require(outputs >= 1, "Dense", "at least 1 output feature", outputs);
    weight = parameter("weight", weights, outputs, inputs);
    bias = hasBias ? Optional.of(parameter("bias", biases, outputs)) : Optional.empty();
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    return bias.map(b -> f.ops().dense(x, f.read(weight), f.read(b)))
        .orElseGet(() -> f.ops().dense(x, f.read(weight)));
  }
}
