package dev.halfcell.optim;

import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.Schedule;

/** Descent by gradients over the root of the sum of their squares. Rule: {@link AdagradRule}. */
public record Adagrad(Schedule learningRate, double initial, double epsilon, double weightDecay)
    implements RuleOptimizer {
  public Adagrad {
    var _ = new AdagradRule(initial, epsilon, weightDecay);
  }

  /** A constant rate, an initial accumulator of 0.1, epsilon 1e-10, no decay. */
  public Adagrad(double learningRate) {
    this(new Schedule.Constant(learningRate), 0.1, 1e-10, 0);
  }

  @Override
  public AdagradRule rule() {
    return new AdagradRule(initial, epsilon, weightDecay);
  }

  @Override
  public Adagrad withLearningRate(Schedule rate) {
    return new Adagrad(rate, initial, epsilon, weightDecay);
  }

  @Override
  public Adagrad withWeightDecay(double decay) {
    return new Adagrad(learningRate, initial, epsilon, decay);
  }
}
