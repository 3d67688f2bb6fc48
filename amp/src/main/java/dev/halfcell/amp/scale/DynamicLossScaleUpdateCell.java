package dev.halfcell.amp.scale;

import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleHabits;

/**
 * A loss scale that falls by a factor on overflow, not under 1, and grows by it after so many clean
 * steps. Unlike {@link DynamicLossScaleManager} it never gives up by itself.
 *
 * <p>Source: MindSpore, nn.DynamicLossScaleUpdateCell.
 *
 * @param lossScale the scale of the first step, at least 1
 * @param scaleFactor what it grows and falls by, above 1
 * @param scaleWindow the clean steps before it grows, at least 1
 */
public record DynamicLossScaleUpdateCell(double lossScale, double scaleFactor, int scaleWindow)
    implements LossScaleUpdateCell {
  public DynamicLossScaleUpdateCell {
    AtLeastOne.require("init loss scale", lossScale);
    var _ = rule(lossScale, scaleFactor, scaleWindow);
  }

  private static DynamicScale rule(double from, double factor, int window) {
    return LossScale.mindspore()
        .from(from)
        .factor(factor)
        .window(window)
        .habits(ScaleHabits.usual());
  }

  @Override
  public DynamicScale rule() {
    return rule(lossScale, scaleFactor, scaleWindow);
  }
}
