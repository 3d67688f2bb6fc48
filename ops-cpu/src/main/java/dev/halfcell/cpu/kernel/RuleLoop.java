package dev.halfcell.cpu.kernel;

import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LarsRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.UpdateRule;
import java.util.List;

/**
 * The loop of an optimizer rule with the numbers of one step. Rules of sums and products are
 * computed in float, the others in double, with a slot rounded when it is stored and the new
 * parameter computed from the rounded slot.
 */
sealed interface RuleLoop {
  /**
   * Moves {@code count} elements. {@code in} are parameter, slots and gradient, {@code out} the new
   * parameter and slots, which may be the same arrays.
   */
  void run(float[][] in, float[][] out, int count);

  /**
   * The loop of this step.
   *
   * @param scalars the learning rate and, where the rule counts, the applied steps
   * @param trust the ratio of norms, for the rules that have one; see {@link TrustRatio}
   */
  static RuleLoop of(UpdateRule update, List<Operand> scalars, double trust) {
    double rate = Scalars.get(scalars.getFirst());
    return switch (update) {
      case SgdRule(double decay) -> new Sgd((float) rate, (float) decay);
      case MomentumRule rule ->
          new Momentum(
              (float) rate,
              (float) rule.momentum(),
              rule.nesterov(),
              rule.decoupled() ? 0 : (float) rule.weightDecay(),
              rule.decoupled() ? (float) (rate * rule.weightDecay()) : 0);
      case AdamRule rule ->
          new Adam(
              rate,
              Moments.of(rule, scalars.get(1)),
              rule.decoupled() ? 0 : rule.weightDecay(),
              rule.decoupled() ? rate * rule.weightDecay() : 0);
      case LambRule rule ->
          new Lamb(rate * trust, Moments.of(rule, scalars.get(1)), rule.weightDecay());
      case LarsRule rule -> new Lars(rate * trust, rule.momentum(), rule.weightDecay());
      case RmsPropRule rule -> new RmsProp(rate, rule);
      case AdagradRule rule -> new Adagrad(rate, rule);
    };
  }

  /** Plain descent. */
  record Sgd(float rate, float decay) implements RuleLoop {
    @Override
    public void run(float[][] in, float[][] out, int count) {
      float[] w = in[0];
      float[] gradient = in[1];
      float[] moved = out[0];
      for (int i = 0; i < count; i++) {
        moved[i] = w[i] - rate * (gradient[i] + decay * w[i]);
      }
    }
  }

  /** Descent with momentum; {@code shrink} is the decoupled decay times the rate. */
  record Momentum(float rate, float keep, boolean nesterov, float decay, float shrink)
      implements RuleLoop {
    @Override
    public void run(float[][] in, float[][] out, int count) {
      float[] w = in[0];
      float[] v = in[1];
      float[] gradient = in[2];
      float[] moved = out[0];
      float[] velocity = out[1];
      for (int i = 0; i < count; i++) {
        velocity[i] = keep * v[i] + (gradient[i] + decay * w[i]);
      }
      if (nesterov) {
        for (int i = 0; i < count; i++) {
          float step = gradient[i] + decay * w[i] + keep * velocity[i];
          moved[i] = w[i] - shrink * w[i] - rate * step;
        }
      } else {
        for (int i = 0; i < count; i++) {
          moved[i] = w[i] - shrink * w[i] - rate * velocity[i];
        }
      }
    }
  }

  /** Adaptive moments; {@code shrink} is the decoupled decay times the rate. */
  record Adam(double rate, Moments moments, double decay, double shrink) implements RuleLoop {
    @Override
    public void run(float[][] in, float[][] out, int count) {
      for (int i = 0; i < count; i++) {
        double w = in[0][i];
        double g = in[3][i] + decay * w;
        float first = moments.first(in[1][i], g);
        float second = moments.second(in[2][i], g);
        out[0][i] = (float) (w - shrink * w - rate * moments.step(first, second));
        out[1][i] = first;
        out[2][i] = second;
      }
    }
  }

  /** Adaptive moments along a direction; {@code rate} is the parameter's own. */
  record Lamb(double rate, Moments moments, double decay) implements RuleLoop {
    @Override
    public void run(float[][] in, float[][] out, int count) {
      for (int i = 0; i < count; i++) {
        double w = in[0][i];
        float first = moments.first(in[1][i], in[3][i]);
        float second = moments.second(in[2][i], in[3][i]);
        out[0][i] = (float) (w - rate * (moments.step(first, second) + decay * w));
        out[1][i] = first;
        out[2][i] = second;
      }
    }
  }

  /** Momentum that holds steps; {@code rate} is the parameter's own. */
  record Lars(double rate, double keep, double decay) implements RuleLoop {
    @Override
    public void run(float[][] in, float[][] out, int count) {
      float[] w = in[0];
      float[] v = in[1];
      float[] gradient = in[2];
      float[] moved = out[0];
      float[] velocity = out[1];
      for (int i = 0; i < count; i++) {
        velocity[i] = (float) (keep * v[i] + rate * (gradient[i] + decay * w[i]));
      }
      for (int i = 0; i < count; i++) {
        moved[i] = w[i] - velocity[i];
      }
    }
  }

  /** Gradients over their root mean square. */
  record RmsProp(double rate, RmsPropRule rule) implements RuleLoop {
    @Override
    public void run(float[][] in, float[][] out, int count) {
      int gradient = in.length - 1;
      int velocity = rule.momentum() > 0 ? gradient - 1 : 0; // 0: there is none
      double keep = rule.smoothing();
      for (int i = 0; i < count; i++) {
        double w = in[0][i];
        double g = in[gradient][i] + rule.weightDecay() * w;
        float square = (float) (keep * in[1][i] + (1 - keep) * (g * g));
        double spread = square;
        if (rule.centered()) {
          float mean = (float) (keep * in[2][i] + (1 - keep) * g);
          spread = Math.max(0, square - (double) mean * mean);
          out[2][i] = mean;
        }
        double step = g / (Math.sqrt(spread) + rule.epsilon());
        if (velocity > 0) {
          out[velocity][i] = (float) (rule.momentum() * in[velocity][i] + step);
          step = out[velocity][i];
        }
        out[0][i] = (float) (w - rate * step);
        out[1][i] = square;
      }
    }
  }

  /** Gradients over the root of the sum of their squares. */
  record Adagrad(double rate, AdagradRule rule) implements RuleLoop {
    @Override
    public void run(float[][] in, float[][] out, int count) {
      double decay = rule.weightDecay();
      for (int i = 0; i < count; i++) {
        double w = in[0][i];
        double g = in[2][i] + decay * w;
        float sum = (float) (in[1][i] + g * g);
        out[0][i] = (float) (w - rate * g / (Math.sqrt(rule.initial() + sum) + rule.epsilon()));
        out[1][i] = sum;
      }
    }
  }
}
