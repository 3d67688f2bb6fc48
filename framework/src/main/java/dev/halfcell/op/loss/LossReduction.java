package dev.halfcell.op.loss;

import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;

/**
 * What a loss op makes of its losses, of which there is one for each element, row or sample. A step
 * trains on a scalar: on {@link #MEAN} or {@link #SUM}.
 */
public enum LossReduction {
  /** Their sum by their number; what is left out, as rows with an ignored label, is not counted. */
  MEAN,
  /** Their sum. */
  SUM,
  /** Each of them, 0 where it is left out. */
  NONE;

  /** The shape of the loss where {@code each} is that of one for each element, row or sample. */
  public Shape of(Shape each) {
    return this == NONE ? each : Shape.SCALAR;
  }

  /** What a sum over {@code count} of them is divided by. */
  public int divisor(int count) {
    return this == MEAN ? Math.max(1, count) : 1;
  }

  /** Where the loss of number {@code i}, or its gradient, stands. */
  public int place(int i) {
    return this == NONE ? i : 0;
  }

  /** Throws unless an input is the gradient of such a loss. */
  void requireGradient(Requirements must, int input, Shape each) {
    must.floating(input)
        .shape(
            must.in().get(input).shape().equals(of(each)),
            "a gradient of shape " + of(each) + " as input " + input,
            "Pass the gradient of the loss that " + this + " gives.");
  }
}
