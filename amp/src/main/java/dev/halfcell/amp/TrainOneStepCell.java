package dev.halfcell.amp;

import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;

/** A train cell without loss scaling. A step that is not finite is still refused. */
public final class TrainOneStepCell extends TrainStepCell {
  TrainOneStepCell(Cell net, Optimizer optimizer, PrecisionPlan plan, AmpOptions options) {
    super(net, optimizer, plan, LossScale.none(), options);
  }
}
