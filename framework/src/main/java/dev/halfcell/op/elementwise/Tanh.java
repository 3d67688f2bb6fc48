package dev.halfcell.op.elementwise;

/** y = tanh x. Gradient: d · (1 − y²). */
public record Tanh() implements Curve {
  @Override
  public double value(double x) {
    return Math.tanh(x);
  }

  @Override
  public Kept kept() {
    return Kept.OUTPUT;
  }

  @Override
  public double derivative(double y) {
    return (1 - y) * (1 + y);
  }
}
