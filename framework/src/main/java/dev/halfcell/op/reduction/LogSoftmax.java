package dev.halfcell.op.reduction;

/**
 * y = x − m − ln Σ e^(x − m) along {@code axis}, m being the largest x there. Where all x are
 * −infinity, or one is +infinity, y is a NaN all along.
 *
 * <p>Shapes: any, y as x. Gradient: d − e^y · Σ d, from y alone.
 */
public record LogSoftmax(int axis) implements AlongAxis {
  @Override
  public LogSoftmaxGradient gradientOp() {
    return new LogSoftmaxGradient(axis);
  }
}
