package dev.halfcell.op.reduction;

/**
 * y = e^(x − m) / Σ e^(x − m) along {@code axis}, m being the largest x there, so that nothing
 * overflows. Where all x are −infinity, or one is +infinity, y is a NaN all along.
 *
 * <p>Shapes: any, y as x. Gradient: y · (d − Σ d · y), from y alone. Source: Goodfellow, Bengio and
 * Courville, "Deep Learning", 2016, section 4.1.
 */
public record Softmax(int axis) implements AlongAxis {
  @Override
  public SoftmaxGradient gradientOp() {
    return new SoftmaxGradient(axis);
  }
}
