package dev.halfcell.optim;

import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRule;
import java.util.List;

/** Gradient descent without memory. Rule: {@link SgdRule}. */
public record Sgd(Schedule learningRate, double weightDecay) implements Optimizer {
  public Sgd {
    var _ = new SgdRule(weightDecay);
  }

  /** A constant rate, no decay. */
  public Sgd(double learningRate) {
    this(new Schedule.Constant(learningRate), 0);
  }

  @Override
  public List<String> slots() {
    return List.of();
  }

  @Override
  public void update(ParameterUpdate of) {
    of.assign(new SgdRule(weightDecay), List.of());
  }
}
