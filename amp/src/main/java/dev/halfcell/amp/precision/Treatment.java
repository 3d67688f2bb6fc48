package dev.halfcell.amp.precision;

/** How a cell computes. */
public enum Treatment {
  /** FP32. */
  FULL,
  /** FP32 inside; the output is rounded once to half on leaving. */
  FULL_THEN_HALF,
  /** Each op by its class: ALLOW half, DENY FP32, INFER the widest floating input. */
  PER_OP,
  /** Half, but ops of class DENY read and write FP32. */
  HALF,
  /** Half; ops of class DENY too read and write half, with FP32 arithmetic. */
  HALF_THROUGHOUT
}
