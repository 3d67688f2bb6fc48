package dev.halfcell.testkit;

import dev.halfcell.tensor.Tensor;
import java.util.OptionalInt;

/**
 * How far a tensor is from what it should be.
 *
 * @param absolute the largest difference; of NaN and infinities none
 * @param ofAllowed the largest difference as a share of what a tolerance allows
 * @param firstWrong the first element that is further off than allowed
 * @param trusted whether at least a tenth of what it should be is not zero
 */
record Distance(double absolute, double ofAllowed, OptionalInt firstWrong, boolean trusted) {
  private static final double LEAST_NONZERO = 0.1;

  /** The distance of {@code got} from {@code want} rounded to its dtype. */
  static Distance of(Tensor want, Tensor got, Tolerance tolerance) {
    double absolute = 0;
    double ofAllowed = 0;
    int firstWrong = -1;
    int nonzero = 0;
    int size = Math.toIntExact(got.spec().size());
    for (int i = 0; i < size; i++) {
      double right = got.dtype().round(want.at(i));
      double other = got.at(i);
      nonzero += right == 0 ? 0 : 1;
      if (firstWrong < 0 && !tolerance.allows(right, other)) {
        firstWrong = i;
      }
      if (right != other && Double.isFinite(right) && Double.isFinite(other)) {
        absolute = Math.max(absolute, Math.abs(right - other));
        ofAllowed = Math.max(ofAllowed, tolerance.share(right, other));
      }
    }
    return new Distance(
        absolute,
        ofAllowed,
        firstWrong < 0 ? OptionalInt.empty() : OptionalInt.of(firstWrong),
        nonzero >= LEAST_NONZERO * size);
  }
}
