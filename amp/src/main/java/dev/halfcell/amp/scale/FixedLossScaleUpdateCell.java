package dev.halfcell.amp.scale;

import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LossScale;

/**
 * A constant loss scale; steps that overflow are refused.
 *
 * <p>Source: MindSpore, nn.FixedLossScaleUpdateCell.
 *
 * @param lossScale the scale, at least 1
 */
public record FixedLossScaleUpdateCell(double lossScale) implements LossScaleUpdateCell {
  public FixedLossScaleUpdateCell {
    AtLeastOne.require("FixedLossScaleUpdateCell lossScale", lossScale);
    var _ = LossScale.fixed(lossScale);
  }

  @Override
  public FixedScale rule() {
    return LossScale.fixed(lossScale);
  }
}
