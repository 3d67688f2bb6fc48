package dev.halfcell.optim;

import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.Schedule;

/** Layer-wise adaptive moments, for large batches. Rule: {@link LambRule}. */
public record Lamb(
    Schedule learningRate, double beta1, double beta2, double epsilon, double weightDecay)
    implements RuleOptimizer {
  public Lamb {
    var _ = new LambRule(beta1, beta2, epsilon, weightDecay);
  }

  /** A constant rate, betas of 0.9 and 0.999, epsilon 1e-6, a decay of 0.01: the paper's. */
  public Lamb(double learningRate) {
    this(new Schedule.Constant(learningRate), 0.9, 0.999, 1e-6, 0.01);
  }

  @Override
  public LambRule rule() {
    return new LambRule(beta1, beta2, epsilon, weightDecay);
  }

  @Override
  public Lamb withLearningRate(Schedule rate) {
    return new Lamb(rate, beta1, beta2, epsilon, weightDecay);
  }

  @Override
  public Lamb withWeightDecay(double decay) {
    return new Lamb(learningRate, beta1, beta2, epsilon, decay);
  }
}
