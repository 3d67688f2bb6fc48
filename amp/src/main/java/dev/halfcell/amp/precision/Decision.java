package dev.halfcell.amp.precision;

import dev.halfcell.tensor.DType;

/**
 * How one cell computes, and why.
 *
 * @param cell the cell's class, for reports
 * @param half the 16-bit dtype where the treatment has one
 */
public record Decision(String cell, Treatment treatment, DType half, Reason because) {
  /** The dtype that the cell computes in, as {@code explain} prints it. */
  public String computes() {
    return switch (treatment) {
      case FULL, FULL_THEN_HALF -> DType.FP32.label();
      case PER_OP -> "per op";
      case HALF, HALF_THROUGHOUT -> half.label();
    };
  }

  /** The dtype that the cell's output leaves in, as {@code explain} prints it. */
  public String leaves() {
    return treatment == Treatment.FULL_THEN_HALF ? half.label() : computes();
  }

  /** Whether the cell's own ops run in half. */
  public boolean inHalf() {
    return treatment == Treatment.HALF || treatment == Treatment.HALF_THROUGHOUT;
  }
}
