package dev.halfcell.amp;

import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;

/**
 * A train cell that multiplies the loss by a scale before the backward pass, divides the gradients
 * by it again in FP32, and refuses the step where the loss or a gradient is not finite: then no
 * parameter, slot, counter or running statistic moves.
 *
 * <p>Source: Micikevicius et al., "Mixed Precision Training", ICLR 2018, section 3.2; MindSpore,
 * nn.TrainOneStepWithLossScaleCell.
 */
public final class TrainOneStepWithLossScaleCell extends TrainStepCell {
  private final LossScale rule;

  TrainOneStepWithLossScaleCell(
      Cell net, Optimizer optimizer, PrecisionPlan plan, LossScale rule, AmpOptions options) {
    super(net, optimizer, plan, rule, options);
    this.rule = rule;
  }

  /** The rule that the scale follows. */
  public LossScale rule() {
    return rule;
  }

  /** The scale of the step to come. */
  public double lossScale() {
    return state().read(Variable.scale()).item();
  }
}
