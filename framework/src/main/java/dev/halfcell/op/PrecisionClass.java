package dev.halfcell.op;

/**
 * What an op asks of a precision plan. The list of ops by class stands in {@code
 * docs/mixed-precision.md}.
 */
public enum PrecisionClass {
  /** Gains from half. */
  ALLOW,
  /**
   * Computes in FP32; only a cell that is half throughout (level O3) lets it read and write half.
   */
  DENY,
  /** Takes what its surroundings have. */
  INFER,
  /** FP32 under every plan: losses, running statistics, updates. */
  FULL,
  /** Its inputs are never touched: casts and cell outputs, which are the plan's own words. */
  KEEP
}
