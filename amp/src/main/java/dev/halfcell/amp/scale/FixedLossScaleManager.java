package dev.halfcell.amp.scale;

import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LossScale;
import java.util.Optional;

/**
 * A constant loss scale. Immutable.
 *
 * <p>Source: MindSpore, amp.FixedLossScaleManager. There the optimizer has to be told the scale as
 * well where overflows are applied; here the step divides by it always.
 *
 * @param lossScale the scale, at least 1
 * @param dropOverflowUpdate whether a step that overflows is refused
 */
public record FixedLossScaleManager(double lossScale, boolean dropOverflowUpdate)
    implements LossScaleManager {
  public FixedLossScaleManager {
    AtLeastOne.require("FixedLossScaleManager lossScale", lossScale);
    var _ = LossScale.fixed(lossScale);
  }

  /** 128; overflows are refused. */
  public FixedLossScaleManager() {
    this(128);
  }

  /** This scale; overflows are refused. */
  public FixedLossScaleManager(double lossScale) {
    this(lossScale, true);
  }

  /** Does nothing. */
  @Override
  public void updateLossScale(boolean overflow) {}

  @Override
  public Optional<LossScaleUpdateCell> updateCell() {
    return dropOverflowUpdate
        ? Optional.of(new FixedLossScaleUpdateCell(lossScale))
        : Optional.empty();
  }

  @Override
  public FixedScale rule() {
    return LossScale.fixed(lossScale).dropOverflowUpdate(dropOverflowUpdate);
  }
}
