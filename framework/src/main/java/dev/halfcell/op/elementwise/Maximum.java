package dev.halfcell.op.elementwise;

/**
 * y = the larger of a and b, with the shapes of {@link Binary}; a NaN in either stays one.
 * Gradient: d goes to a where a &gt;= b, so to the first of two alike, or a is a NaN, else to b.
 */
public record Maximum() implements Sloped {
  @Override
  public double value(double a, double b) {
    return Math.max(a, b);
  }

  @Override
  public double slope(int input, double a, double b) {
    boolean first = a >= b || Double.isNaN(a);
    return first == (input == 0) ? 1 : 0;
  }
}
