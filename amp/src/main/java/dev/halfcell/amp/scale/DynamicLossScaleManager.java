package dev.halfcell.amp.scale;

import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Problem;
import java.util.Optional;

/**
 * A loss scale that falls by a factor on overflow, not under 1, and grows by it after so many clean
 * steps. It gives up at the 1001st overflow in a row. One thread.
 *
 * <p>Source: MindSpore, amp.DynamicLossScaleManager.
 */
public final class DynamicLossScaleManager implements LossScaleManager {
  private final DynamicScale rule;
  private final DynamicLossScaleUpdateCell updateCell;
  private LossScale.State now;
  private int overflows;

  /** From 2²⁴, by 2, after 2000 clean steps. */
  public DynamicLossScaleManager() {
    this(0x1p24, 2, 2000);
  }

  /**
   * With these numbers.
   *
   * @param initLossScale the scale of the first step, at least 1
   * @param scaleFactor what it grows and falls by, above 1
   * @param scaleWindow the clean steps before it grows, at least 1
   */
  public DynamicLossScaleManager(double initLossScale, double scaleFactor, int scaleWindow) {
    updateCell = new DynamicLossScaleUpdateCell(initLossScale, scaleFactor, scaleWindow);
    rule = updateCell.rule().habits(LossScale.mindspore().habits());
    now = rule.start();
  }

  @Override
  public double lossScale() {
    return now.scale();
  }

  /**
   * Moves the scale of this object.
   *
   * @throws NonFiniteException at the 1001st overflow in a row
   */
  @Override
  public void updateLossScale(boolean overflow) {
    now = rule.next(now, LossScale.Verdict.of(!overflow));
    overflows = overflow ? overflows + 1 : 0;
    int most = rule.mostOverflowsInARow().orElseThrow();
    if (overflows > most) {
      throw new NonFiniteException(
          new Problem(
              "DynamicLossScaleManager",
              "",
              "at most " + most + " overflows in a row",
              String.valueOf(overflows),
              "Check the data for NaN and infinity, or compute more cells in fp32."));
    }
  }

  @Override
  public boolean dropOverflowUpdate() {
    return true;
  }

  @Override
  public Optional<LossScaleUpdateCell> updateCell() {
    return Optional.of(updateCell);
  }

  @Override
  public DynamicScale rule() {
    return rule;
  }
}
