package dev.halfcell.op.update;

import dev.halfcell.tensor.ArgumentException;

/** What the hyper-parameters of all rules have to be. */
final class HyperParameters {
  private HyperParameters() {}

  static void weightDecay(double value) {
    ArgumentException.require(
        value >= 0 && Double.isFinite(value), "weight decay", "a finite number, at least 0", value);
  }

  /** A share of the past that is kept: a momentum or a beta. */
  static void share(String name, double value) {
    ArgumentException.require(value >= 0 && value < 1, name, "at least 0 and below 1", value);
  }

  /** What keeps a denominator from 0, in FP32 too. */
  static void epsilon(double value) {
    ArgumentException.require(
        (float) value > 0 && Float.isFinite((float) value),
        "epsilon",
        "a finite number above 0 in fp32",
        value);
  }
}
