package dev.halfcell.op.precision;

/**
 * A constant scale.
 *
 * <p>Source: MindSpore, amp.FixedLossScaleManager.
 *
 * @param scale the scale
 * @param dropsOverflows whether a step that overflows is refused; else it is applied as it is, not
 *     finite, and only reported
 */
public record FixedScale(double scale, boolean dropsOverflows) implements LossScale {
  public FixedScale {
    LossScale.requirePositive("loss scale", scale);
  }

  /** The same scale, with or without the refusal. */
  public FixedScale dropOverflowUpdate(boolean drop) {
    return new FixedScale(scale, drop);
  }

  @Override
  public boolean moves() {
    return false;
  }

  @Override
  public State start() {
    return new State(scale, 0);
  }

  @Override
  public State next(State now, Verdict verdict) {
    return now;
  }
}
