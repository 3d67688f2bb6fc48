package dev.halfcell.verify;

import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.Update;

/**
 * An update with what it is run on.
 *
 * @param op the update
 * @param rate the learning rate
 * @param slots how many slots it keeps
 * @param counted whether it takes the number of applied steps
 */
record OptimizerRule(Update op, double rate, int slots, boolean counted) {
  static OptimizerRule adam(OptimizerSettings has) {
    boolean decoupled = has.flag("decoupled");
    double decay = has.number(decoupled ? "wd" : "l2");
    AdamRule op =
        new AdamRule(
            has.number("betas", 0), has.number("betas", 1), has.number("eps"), decay, decoupled);
    return new OptimizerRule(op, has.number("lr"), 2, true);
  }

  static OptimizerRule momentum(OptimizerSettings has) {
    double momentum = has.number("momentum");
    double decay = has.number("l2");
    double rate = has.number("lr");
    boolean nesterov = has.flag("nesterov");
    return momentum == 0 && !nesterov
        ? new OptimizerRule(new SgdRule(decay), rate, 0, false)
        : new OptimizerRule(new MomentumRule(momentum, nesterov, decay), rate, 1, false);
  }
}
