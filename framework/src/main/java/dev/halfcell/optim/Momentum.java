package dev.halfcell.optim;

import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.Schedule;

/**
 * Gradient descent with momentum. Rule: {@link MomentumRule}.
 *
 * @param nesterov whether the step looks ahead
 * @param decoupled whether the decay leaves the gradient alone (SGDW)
 */
public record Momentum(
    Schedule learningRate, double momentum, boolean nesterov, double weightDecay, boolean decoupled)
    implements RuleOptimizer {
  public Momentum {
    var _ = new MomentumRule(momentum, nesterov, weightDecay, decoupled);
  }

  /** With the decay, if any, added to the gradient (L2). */
  public Momentum(Schedule learningRate, double momentum, boolean nesterov, double weightDecay) {
    this(learningRate, momentum, nesterov, weightDecay, false);
  }

  /** A constant rate, no decay, not Nesterov's form. */
  public Momentum(double learningRate, double momentum) {
    this(new Schedule.Constant(learningRate), momentum, false, 0);
  }

  @Override
  public MomentumRule rule() {
    return new MomentumRule(momentum, nesterov, weightDecay, decoupled);
  }

  @Override
  public Momentum withLearningRate(Schedule rate) {
    return new Momentum(rate, momentum, nesterov, weightDecay, decoupled);
  }

  @Override
  public Momentum withWeightDecay(double decay) {
    return new Momentum(learningRate, momentum, nesterov, decay, decoupled);
  }
}
