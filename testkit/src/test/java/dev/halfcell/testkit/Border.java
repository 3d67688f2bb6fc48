package dev.halfcell.testkit;

import java.util.function.DoubleFunction;

/**
 * Where the values end that a hyper-parameter may have.
 *
 * @param of the record that has it
 * @param component its name there
 * @param make makes such a record with this value
 * @param taken values on this side of the border
 * @param refused values on the other side of it
 */
record Border(
    Class<?> of, String component, DoubleFunction<?> make, double[] taken, double[] refused) {
  static final double LEAST = Double.MIN_VALUE;
  static final double BELOW_ONE = Math.nextDown(1.0);
  static final double NAN = Double.NaN;
  static final double INFINITY = Double.POSITIVE_INFINITY;

  /** A border without values yet. */
  static Border of(Class<?> of, String component, DoubleFunction<?> make) {
    return new Border(of, component, make, new double[0], new double[0]);
  }

  /** The same with values that are taken. */
  Border takes(double... values) {
    return new Border(of, component, make, values, refused);
  }

  /** The same with values that are refused. */
  Border refuses(double... values) {
    return new Border(of, component, make, taken, values);
  }

  /** Whole numbers from {@code least} on. */
  Border from(int least) {
    return takes(least, least + 1).refuses(least - 1);
  }

  /** Numbers above 0 that are finite. */
  Border positive() {
    return takes(LEAST, Double.MAX_VALUE).refuses(0, -LEAST, NAN, INFINITY);
  }

  /** Finite numbers that are above 0 in FP32 too. */
  Border positiveInFp32() {
    return takes(Float.MIN_VALUE, Float.MAX_VALUE).refuses(0, LEAST, -1, Double.MAX_VALUE, NAN);
  }

  /** Numbers of at least 0 that are finite. */
  Border notNegative() {
    return takes(0, Double.MAX_VALUE).refuses(-LEAST, NAN, INFINITY);
  }

  /** Numbers of at least 0 that are finite in FP32 too. */
  Border notNegativeInFp32() {
    return takes(0, Float.MAX_VALUE).refuses(-LEAST, NAN, Double.MAX_VALUE);
  }

  /** From 0, included, to 1, excluded. */
  Border share() {
    return takes(0, BELOW_ONE).refuses(-LEAST, 1, NAN);
  }

  @Override
  public String toString() {
    return of.getSimpleName() + "." + component;
  }
}
