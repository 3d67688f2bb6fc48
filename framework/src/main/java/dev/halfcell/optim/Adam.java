package dev.halfcell.optim;

import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.Schedule;

/** Adaptive moments. Rule: {@link AdamRule} with the decay, if any, added to the gradient (L2). */
public record Adam(
    Schedule learningRate, double beta1, double beta2, double epsilon, double weightDecay)
    implements RuleOptimizer {
  public Adam {
    var _ = new AdamRule(beta1, beta2, epsilon, weightDecay, false);
  }

  /** A constant rate, betas of 0.9 and 0.999, epsilon 1e-8, no decay. */
  public Adam(double learningRate) {
    this(new Schedule.Constant(learningRate), 0.9, 0.999, 1e-8, 0);
  }

  @Override
  public AdamRule rule() {
    return new AdamRule(beta1, beta2, epsilon, weightDecay, false);
  }

  @Override
  public Adam withLearningRate(Schedule rate) {
    return new Adam(rate, beta1, beta2, epsilon, weightDecay);
  }

  @Override
  public Adam withWeightDecay(double decay) {
    return new Adam(learningRate, beta1, beta2, epsilon, decay);
  }
}
