package dev.halfcell.op.elementwise;

/** How two numbers may compare. With a NaN on either side only {@link #NOT_EQUAL} holds. */
public enum Comparison {
  EQUAL,
  NOT_EQUAL,
  LESS,
  LESS_OR_EQUAL,
  GREATER,
  GREATER_OR_EQUAL;

  /** Whether it holds of a and b. */
  public boolean holds(double a, double b) {
    return switch (this) {
      case EQUAL -> a == b;
      case NOT_EQUAL -> a != b;
      case LESS -> a < b;
      case LESS_OR_EQUAL -> a <= b;
      case GREATER -> a > b;
      case GREATER_OR_EQUAL -> a >= b;
    };
  }
}
