package dev.halfcell.amp.scale;

/**
 * A loss scale as MindSpore's TrainOneStepWithLossScaleCell takes it. It says the rule alone; the
 * train cell's plan moves the scale. Immutable.
 *
 * <p>Source: MindSpore, LossScaleManager.get_update_cell.
 */
public sealed interface LossScaleUpdateCell extends ScaleSource
    permits FixedLossScaleUpdateCell, DynamicLossScaleUpdateCell {
  /** The scale of the first step. */
  double lossScale();
}
