package dev.halfcell.amp.scale;

import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LossScale;

/**
 * A constant loss scale. Immutable.
 *
 * <p>Source: MindSpore, amp.StaticLossScaler.
 *
 * @param scaleValue the scale, at least 1
 */
public record StaticLossScaler(double scaleValue) implements LossScaler {
  public StaticLossScaler {
    AtLeastOne.require("StaticLossScaler scaleValue", scaleValue);
    var _ = LossScale.fixed(scaleValue);
  }

  /** False: it never moves. */
  @Override
  public boolean adjust(boolean gradsFinite) {
    return false;
  }

  @Override
  public FixedScale rule() {
    return LossScale.fixed(scaleValue);
  }
}
