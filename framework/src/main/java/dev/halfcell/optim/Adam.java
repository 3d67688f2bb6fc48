package dev.halfcell.optim;

import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.Schedule;

/**
 * Adaptive moments. Rule: {@link AdamRule} with the decay, if any, added to the gradient (L2).
 *
 * @param lazy whether of a parameter whose gradient has come as rows (a sparse {@link
 *     dev.halfcell.nn.Embedding}) only those rows, and their moments, move: what was not looked up
 *     keeps its moments and is not decayed, so that the result differs from that of the exact rule.
 *     Moments are corrected by the steps of the run, not of the row. Such a gradient has to stay
 *     rows: with accumulation, or with several ranks, it becomes whole, which is refused. As
 *     MindSpore's nn.LazyAdam and nn.Adam with use_lazy
 */
public record Adam(
    Schedule learningRate,
    double beta1,
    double beta2,
    double epsilon,
    double weightDecay,
    boolean lazy)
    implements RuleOptimizer {
  public Adam {
    var _ = new AdamRule(beta1, beta2, epsilon, weightDecay, false);
  }

  /** The exact rule, for every row at every step. */
  public Adam(
      Schedule learningRate, double beta1, double beta2, double epsilon, double weightDecay) {
    this(learningRate, beta1, beta2, epsilon, weightDecay, false);
  }

  /** A constant rate, betas of 0.9 and 0.999, epsilon 1e-8, no decay. */
  public Adam(double learningRate) {
    this(new Schedule.Constant(learningRate), 0.9, 0.999, 1e-8, 0);
  }

  /** The same, moving only rows that were looked up: for one batch to a step, and one rank. */
  public Adam onlyRows() {
    return new Adam(learningRate, beta1, beta2, epsilon, weightDecay, true);
  }

  @Override
  public AdamRule rule() {
    return new AdamRule(beta1, beta2, epsilon, weightDecay, false);
  }

  @Override
  public boolean movesRowsAlone() {
    return lazy;
  }

  @Override
  public boolean needsRows() {
    return lazy;
  }

  @Override
  public Adam withLearningRate(Schedule rate) {
    return new Adam(rate, beta1, beta2, epsilon, weightDecay, lazy);
  }

  @Override
  public Adam withWeightDecay(double decay) {
    return new Adam(learningRate, beta1, beta2, epsilon, decay, lazy);
  }
}
