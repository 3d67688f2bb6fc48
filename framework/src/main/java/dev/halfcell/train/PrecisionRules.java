package dev.halfcell.train;

import dev.halfcell.op.Executor;

/**
 * The casting rules of a precision plan, which a step puts before its tape, so that casts have
 * gradients.
 */
@FunctionalInterface
public interface PrecisionRules {
  /** The rules before {@code next}; casts that round by chance draw from {@code draws}. */
  Executor over(Executor next, CastDraws draws);

  /** No rules: everything is computed as it comes, in FP32. */
  static PrecisionRules none() {
    return (next, _) -> next;
  }
}
