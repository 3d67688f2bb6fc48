package dev.halfcell.cpu.kernel;

import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.LambRule;

/**
 * The running means of a gradient and of its square, at one step; the shares are 1 − betaᵗ. They
 * are floats, as they are stored.
 */
record Moments(double beta1, double beta2, double epsilon, double firstShare, double secondShare) {
  static Moments of(AdamRule rule, Operand applied) {
    return of(rule.beta1(), rule.beta2(), rule.epsilon(), applied);
  }

  static Moments of(LambRule rule, Operand applied) {
    return of(rule.beta1(), rule.beta2(), rule.epsilon(), applied);
  }

  private static Moments of(double beta1, double beta2, double epsilon, Operand applied) {
    double steps = Scalars.get(applied) + 1;
    return new Moments(
        beta1, beta2, epsilon, 1 - Math.pow(beta1, steps), 1 - Math.pow(beta2, steps));
  }

  float first(float old, double g) {
    return (float) (beta1 * old + (1 - beta1) * g);
  }

  float second(float old, double g) {
    return (float) (beta2 * old + (1 - beta2) * (g * g));
  }

  /** Which way to go: the first mean over the root of the second, both as if they began full. */
  double step(float first, float second) {
    return first / firstShare / (Math.sqrt(second / secondShare) + epsilon);
  }
}
