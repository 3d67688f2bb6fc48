package dev.halfcell.op.elementwise;

import dev.halfcell.tensor.ArgumentException;

/**
 * y = x where x &gt; 0, else slope · x. Gradient: d where y &gt; 0, else slope · d. Source: Maas et
 * al., "Rectifier Nonlinearities Improve Neural Network Acoustic Models", 2013, section 2.
 *
 * @param slope what x below 0 is multiplied by: at least 0, so that y tells on which side x was
 */
public record LeakyRelu(double slope) implements Curve {
  public LeakyRelu {
    ArgumentException.require(
        slope >= 0 && slope < Double.POSITIVE_INFINITY,
        "LeakyRelu slope",
        "a finite number of at least 0",
        slope);
  }

  @Override
  public double value(double x) {
    return x > 0 ? x : slope * x;
  }

  @Override
  public Kept kept() {
    return Kept.OUTPUT;
  }

  @Override
  public double derivative(double y) {
    return y > 0 ? 1 : slope;
  }
}
