package dev.halfcell.optim;

import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRule;

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
  public boolean movesRowsAlone() {
    return weightDecay == 0;
  }
}
