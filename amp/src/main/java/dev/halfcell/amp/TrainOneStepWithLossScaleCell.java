package dev.halfcell.amp;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.scale.ScaleSource;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.StepResult;

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
  private final boolean managed;

  /**
   * A train cell of FP32, but for what the network's own flags ask for, that keeps no scale: each
   * step is given one.
   */
  public TrainOneStepWithLossScaleCell(Cell net, Optimizer optimizer) {
    this(net, optimizer, AmpOptions.defaults());
  }

  /** The same with a scale that it keeps by this rule. */
  public TrainOneStepWithLossScaleCell(Cell net, Optimizer optimizer, LossScale rule) {
    this(net, optimizer, AmpOptions.defaults().lossScale(rule));
  }

  /** The same with the rule that one of MindSpore's classes says, such as an update cell. */
  public TrainOneStepWithLossScaleCell(Cell net, Optimizer optimizer, ScaleSource scaleSense) {
    this(net, optimizer, scaleSense.rule());
  }

  /** The same with options; it keeps a scale where they name its rule. */
  public TrainOneStepWithLossScaleCell(Cell net, Optimizer optimizer, AmpOptions options) {
    super(
        net,
        optimizer,
        Amp.plan(net, Level.O0, options),
        options.step().lossScale().orElse(LossScale.none()),
        options);
    this.rule = options.step().lossScale().orElse(LossScale.none());
    this.managed = options.step().lossScale().isPresent();
  }

  TrainOneStepWithLossScaleCell(
      Cell net, Optimizer optimizer, PrecisionPlan plan, LossScale rule, AmpOptions options) {
    super(net, optimizer, plan, rule, options);
    this.rule = rule;
    this.managed = true;
  }

  @Override
  public StepResult run(Batch batch) {
    if (!managed) {
      throw new UsageException(
          new Problem(
              "TrainOneStepWithLossScaleCell",
              "",
              "a loss scale",
              "none, neither kept by the cell nor given to this step",
              "Call run(data, label, scalingSens), or make the cell with a rule:"
                  + " new TrainOneStepWithLossScaleCell(net, optimizer, LossScale.dynamic())."));
    }
    return super.run(batch);
  }

  /** The rule that the scale follows. */
  public LossScale rule() {
    return rule;
  }

  /** The scale of the step to come. */
  public double lossScale() {
    return loop().lossScale();
  }
}
