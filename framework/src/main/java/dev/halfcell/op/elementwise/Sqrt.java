package dev.halfcell.op.elementwise;

/** y = √x: a NaN below 0. Gradient: d / (2 · y), infinite at 0. */
public record Sqrt() implements Curve {
  @Override
  public double value(double x) {
    return Math.sqrt(x);
  }

  @Override
  public Kept kept() {
    return Kept.OUTPUT;
  }

  @Override
  public double derivative(double y) {
    return 0.5 / y;
  }
}
