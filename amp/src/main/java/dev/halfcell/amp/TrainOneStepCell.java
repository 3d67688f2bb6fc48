package dev.halfcell.amp;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;

/**
 * A train cell whose loss scale never moves: none, unless one is given. A step that is not finite
 * is still refused.
 *
 * <p>Source: MindSpore, nn.TrainOneStepCell. There the gradients stay multiplied by {@code sens}
 * and an optimizer with that {@code loss_scale} divides them; here the step itself divides.
 */
public final class TrainOneStepCell extends TrainStepCell {
  /** A train cell of FP32, but for what the network's own flags ask for. */
  public TrainOneStepCell(Cell net, Optimizer optimizer) {
    this(net, optimizer, AmpOptions.defaults());
  }

  /** The same; the backward pass is seeded with {@code sens}. */
  public TrainOneStepCell(Cell net, Optimizer optimizer, double sens) {
    this(net, optimizer, AmpOptions.defaults().lossScale(LossScale.fixed(sens)));
  }

  /** The same with options, whose loss scale, if any, is one that never moves. */
  public TrainOneStepCell(Cell net, Optimizer optimizer, AmpOptions options) {
    this(
        net,
        optimizer,
        Amp.plan(net, Level.O0, options),
        still(options.step().lossScale().orElse(LossScale.none())),
        options);
  }

  TrainOneStepCell(
      Cell net, Optimizer optimizer, PrecisionPlan plan, LossScale scale, AmpOptions options) {
    super(net, optimizer, plan, scale, options);
  }

  private static LossScale still(LossScale scale) {
    ArgumentException.require(
        !scale.moves(),
        "TrainOneStepCell",
        "a loss scale that never moves; TrainOneStepWithLossScaleCell takes any",
        scale);
    return scale;
  }
}
