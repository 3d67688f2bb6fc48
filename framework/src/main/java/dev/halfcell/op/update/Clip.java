package dev.halfcell.op.update;

import dev.halfcell.tensor.ArgumentException;

/** What bounds gradients before a rule sees them. */
public sealed interface Clip extends Update permits ClipByNorm, ClipByValue {
  /** What is not exceeded. */
  double largest();

  /** Throws unless a bound is one. */
  static void requireLargest(String name, double largest) {
    ArgumentException.require(
        (float) largest > 0 && Float.isFinite((float) largest),
        name,
        "a finite number above 0 in fp32",
        largest);
  }
}
