package dev.halfcell.train;

import dev.halfcell.op.Executor;
import java.util.function.Supplier;

/**
 * The casting rules of a precision plan. A step puts them before its tape, so that casts have
 * gradients.
 */
public interface PrecisionRules {
  /** The rules before {@code next} in a forward pass that is not trained; casts are to nearest. */
  Executor over(Executor next);

  /** The rules before {@code next}; casts that round by chance draw from {@code draws}. */
  Executor over(Executor next, CastDraws draws);

  /** The rules of the moment; what was recorded by others than these is recorded anew. */
  default PrecisionRules now() {
    return this;
  }

  /** No rules: everything is computed as it comes, in FP32. */
  static PrecisionRules none() {
    return new None();
  }

  /** Rules that may be others at each step. */
  static PrecisionRules changing(Supplier<? extends PrecisionRules> now) {
    return new Changing(now);
  }

  /** See {@link #none}. */
  record None() implements PrecisionRules {
    @Override
    public Executor over(Executor next) {
      return next;
    }

    @Override
    public Executor over(Executor next, CastDraws draws) {
      return next;
    }
  }

  /** See {@link #changing}. */
  record Changing(Supplier<? extends PrecisionRules> moment) implements PrecisionRules {
    @Override
    public Executor over(Executor next) {
      return now().over(next);
    }

    @Override
    public Executor over(Executor next, CastDraws draws) {
      return now().over(next, draws);
    }

    @Override
    public PrecisionRules now() {
      return moment.get();
    }
  }
}
