package dev.halfcell.op.elementwise;

/** y = 1 / (1 + e⁻ˣ). Gradient: d · y · (1 − y). */
public record Sigmoid() implements Curve {
  @Override
  public double value(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  @Override
  public Kept kept() {
    return Kept.OUTPUT;
  }

  @Override
  public double derivative(double y) {
    return y * (1 - y);
  }
}
