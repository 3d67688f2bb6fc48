package dev.halfcell.nn;

import java.util.function.LongToDoubleFunction;

/**
 * Vectors of length 1 at right angles to each other, in every direction alike: random ones, each
 * freed of its share in those before it. The shares are taken off twice, since rounding leaves some
 * the first time. Source: Golub and Van Loan, "Matrix Computations", section 5.2.8 (modified
 * Gram-Schmidt); Mezzadri, "How to generate random matrices from the classical compact groups",
 * 2007, section 5, for why no direction is preferred.
 */
final class OrthonormalVectors {
  private final double[][] vectors;

  private OrthonormalVectors(double[][] vectors) {
    this.vectors = vectors;
  }

  /** At most as many vectors as they have elements, which start as {@code normal} numbers. */
  static OrthonormalVectors draw(int count, int length, LongToDoubleFunction normal) {
    double[][] vectors = new double[count][length];
    for (int v = 0; v < count; v++) {
      for (int i = 0; i < length; i++) {
        vectors[v][i] = normal.applyAsDouble((long) v * length + i);
      }
      for (int pass = 0; pass < 2; pass++) {
        for (int earlier = 0; earlier < v; earlier++) {
          subtract(vectors[v], vectors[earlier], product(vectors[v], vectors[earlier]));
        }
      }
      double norm = Math.sqrt(product(vectors[v], vectors[v]));
      for (int i = 0; i < length; i++) {
        vectors[v][i] /= norm;
      }
    }
    return new OrthonormalVectors(vectors);
  }

  /** Element {@code index} of a vector. */
  double at(int vector, int index) {
    return vectors[vector][index];
  }

  private static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static void subtract(double[] from, double[] other, double share) {
    for (int i = 0; i < from.length; i++) {
      from[i] -= share * other[i];
    }
  }
}
