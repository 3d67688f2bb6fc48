package dev.halfcell.op.elementwise;

/** y = |x|. Gradient: d times the sign of x, which is 0 at 0. */
public record Abs() implements Curve {
  @Override
  public double value(double x) {
    return Math.abs(x);
  }

  @Override
  public Kept kept() {
    return Kept.INPUT;
  }

  @Override
  public double derivative(double x) {
    return Math.signum(x);
  }
}
