package dev.halfcell.amp.scale;

import java.util.Optional;

/**
 * A loss scale as MindSpore's {@code Model} takes it.
 *
 * <p>Source: MindSpore, amp.LossScaleManager.
 */
public sealed interface LossScaleManager extends ScaleSource
    permits FixedLossScaleManager, DynamicLossScaleManager {
  /** The scale now. */
  double lossScale();

  /** Moves the scale of this object, for a loop that asks it for {@link #lossScale}. */
  void updateLossScale(boolean overflow);

  /** Whether a step that overflows is refused. */
  boolean dropOverflowUpdate();

  /** What moves the scale of a train cell; none where overflows are applied as they are. */
  Optional<LossScaleUpdateCell> updateCell();
}
