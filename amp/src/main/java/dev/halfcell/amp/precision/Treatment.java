package dev.halfcell.amp.precision;

/** How a cell computes. */
public enum Treatment {
  /** FP32. */
  FULL,
  /** FP32 inside; the output is rounded once to half on leaving. */
  FULL_THEN_HALF,
  /** Each op by its class: ALLOW half, DENY FP32, INFER the widest floating input. */
  PER_OP,
  /** The widest floating input, but ops of class DENY read and write FP32. */
  WIDEST,
  /** Half, but ops of class DENY read and write FP32. */
  HALF,
  /** The same of a loss: its own op reads half too. */
  HALF_LOSS,
  /** Half; ops of class DENY too read and write half, with FP32 arithmetic. */
  HALF_THROUGHOUT
}
