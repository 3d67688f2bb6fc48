package dev.halfcell.op.elementwise;

/**
 * (x, slope) → y = x where x &gt; 0, else slope · x, with the shapes of {@link Binary}: a slope for
 * each channel of [N, C, H, W] has the shape [C, 1, 1].
 *
 * <p>Gradient: dx = d where x &gt; 0, else d · slope; dslope = 0 where x &gt; 0, else d · x, summed
 * over the axes that were repeated. Source: He et al., "Delving Deep into Rectifiers", 2015, eq. 1.
 */
public record PRelu() implements Sloped {
  @Override
  public double value(double x, double slope) {
    return x > 0 ? x : slope * x;
  }

  @Override
  public double slope(int input, double x, double slope) {
    boolean passes = x > 0;
    return input == 0 ? passes ? 1 : slope : passes ? 0 : x;
  }
}
