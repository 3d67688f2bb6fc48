package dev.halfcell.optim;

import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.Schedule;

/** Descent by gradients over their root mean square. Rule: {@link RmsPropRule}. */
public record RmsProp(
    Schedule learningRate,
    double smoothing,
    double epsilon,
    double momentum,
    boolean centered,
    double weightDecay)
    implements RuleOptimizer {
  public RmsProp {
    var _ = new RmsPropRule(smoothing, epsilon, momentum, centered, weightDecay);
  }

  /** A constant rate, smoothing 0.99, epsilon 1e-8; no momentum, not centered, no decay. */
  public RmsProp(double learningRate) {
    this(new Schedule.Constant(learningRate), 0.99, 1e-8, 0, false, 0);
  }

  @Override
  public RmsPropRule rule() {
    return new RmsPropRule(smoothing, epsilon, momentum, centered, weightDecay);
  }

  @Override
  public RmsProp withLearningRate(Schedule rate) {
    return new RmsProp(rate, smoothing, epsilon, momentum, centered, weightDecay);
  }

  @Override
  public RmsProp withWeightDecay(double decay) {
    return new RmsProp(learningRate, smoothing, epsilon, momentum, centered, decay);
  }
}
