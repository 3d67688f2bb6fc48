package dev.halfcell.optim;

import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.Schedule;
import java.util.List;

/** Gradient descent with momentum. Rule: {@link MomentumRule}. */
public record Momentum(Schedule learningRate, double momentum, boolean nesterov, double weightDecay)
    implements Optimizer {
  public Momentum {
    var _ = new MomentumRule(momentum, nesterov, weightDecay);
  }

  /** A constant rate, no decay, not Nesterov's form. */
  public Momentum(double learningRate, double momentum) {
    this(new Schedule.Constant(learningRate), momentum, false, 0);
  }

  @Override
  public List<String> slots() {
    return List.of("velocity");
  }

  @Override
  public void update(ParameterUpdate of) {
    of.assign(new MomentumRule(momentum, nesterov, weightDecay), slots(of.parameter()));
  }
}
