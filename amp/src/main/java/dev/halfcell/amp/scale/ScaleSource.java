package dev.halfcell.amp.scale;

import dev.halfcell.op.precision.LossScale;

/**
 * What MindSpore's users say a loss scale with; a train cell takes its rule.
 *
 * <p>Source: MindSpore, the scale_sense of nn.TrainOneStepWithLossScaleCell.
 */
public sealed interface ScaleSource permits LossScaleManager, LossScaleUpdateCell, LossScaler {
  /** The rule. Where a train cell's scale stands is in the cell's state, not in this object. */
  LossScale rule();
}
