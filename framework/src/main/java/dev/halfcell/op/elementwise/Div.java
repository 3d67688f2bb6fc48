package dev.halfcell.op.elementwise;

/**
 * y = a / b, with the shapes of {@link Binary}; a division by 0 gives an infinity or, of 0, a NaN.
 * Gradient: da = d / b and db = −d · a / b², summed over the axes that were repeated.
 */
public record Div() implements Sloped {
  @Override
  public double value(double a, double b) {
    return a / b;
  }

  @Override
  public double slope(int input, double a, double b) {
    return input == 0 ? 1 / b : -(a / b) / b;
  }
}
