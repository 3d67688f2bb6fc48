package dev.halfcell.op;

import java.util.Locale;

/** Which part of a training step an op belongs to. */
public enum Direction {
  /** The network and its loss. */
  FORWARD,
  /** Their gradients. */
  BACKWARD,
  /** All that follows: unscaling, the gradient check, the optimizer, the loss scale. */
  UPDATE;

  /** The name as users read it: {@code backward}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
