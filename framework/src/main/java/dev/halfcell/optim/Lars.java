package dev.halfcell.optim;

import dev.halfcell.op.update.LarsRule;
import dev.halfcell.op.update.Schedule;

/** Momentum with layer-wise rates, for large batches. Rule: {@link LarsRule}. */
public record Lars(Schedule learningRate, double trust, double momentum, double weightDecay)
    implements RuleOptimizer {
  public Lars {
    var _ = new LarsRule(trust, momentum, weightDecay);
  }

  /** A constant rate, a trust coefficient of 0.001, a decay of 0.0005: the paper's. */
  public Lars(double learningRate, double momentum) {
    this(new Schedule.Constant(learningRate), 0.001, momentum, 0.0005);
  }

  @Override
  public LarsRule rule() {
    return new LarsRule(trust, momentum, weightDecay);
  }

  @Override
  public Lars withLearningRate(Schedule rate) {
    return new Lars(rate, trust, momentum, weightDecay);
  }

  @Override
  public Lars withWeightDecay(double decay) {
    return new Lars(learningRate, trust, momentum, decay);
  }
}
