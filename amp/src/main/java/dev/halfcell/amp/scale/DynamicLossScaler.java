package dev.halfcell.amp.scale;

import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LossScale;

/**
 * A loss scale that falls by a factor where gradients are not finite, not under 1, and grows by it
 * after so many steps where they are. One thread.
 *
 * <p>Source: MindSpore, amp.DynamicLossScaler.
 */
public final class DynamicLossScaler implements LossScaler {
  private final DynamicScale rule;
  private LossScale.State now;

  /**
   * A scaler at its start.
   *
   * @param scaleValue the scale of the first step, at least 1
   * @param scaleFactor what it grows and falls by, above 1
   * @param scaleWindow the clean steps before it grows, at least 1
   */
  public DynamicLossScaler(double scaleValue, double scaleFactor, int scaleWindow) {
    rule = new DynamicLossScaleUpdateCell(scaleValue, scaleFactor, scaleWindow).rule();
    now = rule.start();
  }

  @Override
  public double scaleValue() {
    return now.scale();
  }

  /** True: it may move. */
  @Override
  public boolean adjust(boolean gradsFinite) {
    now = rule.next(now, LossScale.Verdict.of(gradsFinite));
    return true;
  }

  /** Clean steps since the scale last moved. */
  public long counter() {
    return now.clean();
  }

  @Override
  public DynamicScale rule() {
    return rule;
  }
}
