package dev.halfcell.optim;

import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRowsRule;
import dev.halfcell.op.update.SgdRule;
import java.util.List;

/**
 * Gradient descent without memory. Rule: {@link SgdRule}; of a gradient that has come as rows only
 * those move, with the same bits, where there is no decay.
 */
public record Sgd(Schedule learningRate, double weightDecay) implements RuleOptimizer {
  public Sgd {
    var _ = new SgdRule(weightDecay);
  }

  /** A constant rate, no decay. */
  public Sgd(double learningRate) {
    this(new Schedule.Constant(learningRate), 0);
  }

  @Override
  public SgdRule rule() {
    return new SgdRule(weightDecay);
  }

  @Override
  public Sgd withLearningRate(Schedule rate) {
    return new Sgd(rate, weightDecay);
  }

  @Override
  public Sgd withWeightDecay(double decay) {
    return new Sgd(learningRate, decay);
  }

  @Override
  public void update(ParameterUpdate of) {
    of.rows()
        .filter(_ -> weightDecay == 0)
        .ifPresentOrElse(
            rows -> of.assign(new SgdRowsRule(), List.of(), rows),
            () -> RuleOptimizer.super.update(of));
  }
}
