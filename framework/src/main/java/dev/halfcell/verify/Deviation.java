package dev.halfcell.verify;

import dev.halfcell.tensor.Tensor;

/**
 * How far one element is from what it should be.
 *
 * @param where which tensor and element
 * @param error |got − want|
 * @param tolerance the most that is allowed
 */
record Deviation(String where, double error, double tolerance) {
  /** Before anything was compared. */
  static final Deviation NONE = new Deviation("nothing compared", 0, Bound.STANDARD.absolute());

  /** The worst element, by its error over its tolerance. */
  static Deviation between(String name, Tensor want, Tensor got, Bound bound) {
    if (!want.shape().equals(got.shape())) {
      String shapes = name + " is " + got.shape() + " and not " + want.shape();
      return new Deviation(shapes, Double.NaN, bound.absolute());
    }
    Deviation worst = new Deviation(name, 0, bound.absolute());
    for (int i = 0; i < want.spec().size(); i++) {
      double tolerance = bound.around(want.at(i));
      double error = Math.abs(got.at(i) - want.at(i));
      worst = worst.worse(new Deviation(name + ", element " + i, error, tolerance));
    }
    return worst;
  }

  /** Whether the error is a number and within the tolerance. */
  boolean allowed() {
    return error <= tolerance;
  }

  /** The worse of two; no number is worse than any. */
  Deviation worse(Deviation other) {
    return Double.isNaN(error) || share() >= other.share() ? this : other;
  }

  private double share() {
    return Double.isNaN(error) ? Double.POSITIVE_INFINITY : error / tolerance;
  }
}
