package dev.halfcell.optim;

import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.Schedule;

/** Adaptive moments. Rule: {@link AdamRule} with decoupled decay. */
public record AdamW(
    Schedule learningRate, double beta1, double beta2, double epsilon, double weightDecay)
    implements RuleOptimizer {
  public AdamW {
    var _ = new AdamRule(beta1, beta2, epsilon, weightDecay, true);
  }

  /** A constant rate, betas of 0.9 and 0.999, epsilon 1e-8. */
  public AdamW(double learningRate, double weightDecay) {
    this(new Schedule.Constant(learningRate), 0.9, 0.999, 1e-8, weightDecay);
  }

  @Override
  public AdamRule rule() {
    return new AdamRule(beta1, beta2, epsilon, weightDecay, true);
  }

  @Override
  public AdamW withLearningRate(Schedule rate) {
    return new AdamW(rate, beta1, beta2, epsilon, weightDecay);
  }

  @Override
  public AdamW withWeightDecay(double decay) {
    return new AdamW(learningRate, beta1, beta2, epsilon, decay);
  }
}
