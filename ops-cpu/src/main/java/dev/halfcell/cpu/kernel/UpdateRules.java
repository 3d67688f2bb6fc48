package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.UnsupportedException;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.Update;
import dev.halfcell.tensor.Problem;
import java.util.List;

/**
 * The loops of the optimizer rules: arithmetic in double, a slot rounded when it is stored, and the
 * new parameter computed from the rounded slot.
 */
final class UpdateRules {
  private UpdateRules() {}

  /** A rule with the numbers of one step. */
  sealed interface Now {
    /** Plain descent. */
    record Sgd(double rate, double decay) implements Now {}

    /** Descent with momentum. */
    record Momentum(double rate, double decay, double momentum, boolean nesterov) implements Now {}

    /** Adam; the shares are 1 − betaᵗ. */
    record Adam(AdamRule rule, double rate, double firstShare, double secondShare) implements Now {}
  }

  /** {@code scalars} are the learning rate and, for Adam, the applied steps. */
  static Now now(Update update, List<Operand> scalars) {
    double rate = Scalars.get(scalars.getFirst());
    return switch (update) {
      case SgdRule(double decay) -> new Now.Sgd(rate, decay);
      case MomentumRule(double momentum, boolean nesterov, double decay) ->
          new Now.Momentum(rate, decay, momentum, nesterov);
      case AdamRule rule -> {
        double steps = Scalars.get(scalars.get(1)) + 1;
        yield new Now.Adam(
            rule, rate, 1 - Math.pow(rule.beta1(), steps), 1 - Math.pow(rule.beta2(), steps));
      }
      case LearningRate _, Increment _ ->
          throw new UnsupportedException(
              new Problem(
                  "update", "", "a rule that moves parameters", update.label(), "Report this."));
    };
  }

  /** {@code in} are parameter, slots and gradient; {@code out} the new parameter and slots. */
  static void run(Now now, float[][] in, float[][] out, int count) {
    switch (now) {
      case Now.Sgd(double rate, double decay) -> {
        for (int i = 0; i < count; i++) {
          double w = in[0][i];
          out[0][i] = (float) (w - rate * (in[1][i] + decay * w));
        }
      }
      case Now.Momentum momentum -> momentum(momentum, in, out, count);
      case Now.Adam adam -> adam(adam, in, out, count);
    }
  }

  private static void momentum(Now.Momentum rule, float[][] in, float[][] out, int count) {
    float[] w = in[0];
    float[] v = in[1];
    float[] gradient = in[2];
    float[] moved = out[0];
    float[] velocity = out[1];
    double rate = rule.rate();
    double decay = rule.decay();
    double keep = rule.momentum();
    for (int i = 0; i < count; i++) {
      velocity[i] = (float) (keep * v[i] + (gradient[i] + decay * w[i]));
    }
    if (rule.nesterov()) {
      for (int i = 0; i < count; i++) {
        moved[i] = (float) (w[i] - rate * (gradient[i] + decay * w[i] + keep * velocity[i]));
      }
    } else {
      for (int i = 0; i < count; i++) {
        moved[i] = (float) (w[i] - rate * velocity[i]);
      }
    }
  }

  private static void adam(Now.Adam now, float[][] in, float[][] out, int count) {
    AdamRule rule = now.rule();
    double beta1 = rule.beta1();
    double beta2 = rule.beta2();
    double decay = rule.decoupled() ? 0 : rule.weightDecay();
    double shrink = rule.decoupled() ? now.rate() * rule.weightDecay() : 0;
    for (int i = 0; i < count; i++) {
      double w = in[0][i];
      double g = in[3][i] + decay * w;
      float first = (float) (beta1 * in[1][i] + (1 - beta1) * g);
      float second = (float) (beta2 * in[2][i] + (1 - beta2) * (g * g));
      double step = first / now.firstShare();
      double size = Math.sqrt(second / now.secondShare()) + rule.epsilon();
      out[0][i] = (float) (w - shrink * w - now.rate() * step / size);
      out[1][i] = first;
      out[2][i] = second;
    }
  }
}
