package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.square;

import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LarsRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * The optimizer rules on one parameter. A slot is rounded when it is stored, and the new parameter
 * is computed from the rounded slot.
 */
final class RuleKernels {
  private final DType dtype;
  private final double[] w;
  private final List<double[]> slots;
  private final double[] gradient;
  private final double rate;
  private final double steps;

  private RuleKernels(
      DType dtype, List<double[]> before, double[] gradient, double rate, double steps) {
    this.dtype = dtype;
    this.w = before.getFirst();
    this.slots = before.subList(1, before.size());
    this.gradient = gradient;
    this.rate = rate;
    this.steps = steps;
  }

  static List<double[]> compute(UpdateRule rule, List<Tensor> in) {
    int gradient = rule.slots().size() + 1;
    return compute(
        rule,
        in.getFirst().dtype(),
        in.subList(0, gradient).stream().map(Tensor::toArray).toList(),
        in.get(gradient).toArray(),
        in.subList(gradient + 1, in.size()));
  }

  /**
   * Moves numbers.
   *
   * @param before those of the parameter and its slots
   * @param scalars the learning rate and, where the rule counts, the applied steps
   */
  static List<double[]> compute(
      UpdateRule rule,
      DType dtype,
      List<double[]> before,
      double[] gradient,
      List<Tensor> scalars) {
    double steps = rule.counted() ? scalars.get(1).item() + 1 : 0;
    RuleKernels on = new RuleKernels(dtype, before, gradient, scalars.getFirst().item(), steps);
    return switch (rule) {
      case SgdRule(double decay) -> {
        double[] g = on.decayed(decay);
        yield List.of(on.each(i -> on.w[i] - on.rate * g[i]));
      }
      case MomentumRule momentum -> on.momentum(momentum);
      case AdamRule adam -> on.adam(adam);
      case LambRule lamb -> on.lamb(lamb);
      case LarsRule lars -> on.lars(lars);
      case RmsPropRule rmsProp -> on.rmsProp(rmsProp);
      case AdagradRule adagrad -> on.adagrad(adagrad);
    };
  }

  private double[] each(IntToDoubleFunction value) {
    return fill(w.length, value);
  }

  private double[] stored(IntToDoubleFunction value) {
    return fill(w.length, i -> dtype.round(value.applyAsDouble(i)));
  }

  private double[] decayed(double weightDecay) {
    return each(i -> gradient[i] + weightDecay * w[i]);
  }

  /** A running mean: {@code keep} of the old one and the rest of the new. */
  private double[] mean(double keep, double[] old, IntToDoubleFunction now) {
    return stored(i -> keep * old[i] + (1 - keep) * now.applyAsDouble(i));
  }

  private static double norm(double[] values) {
    return Math.sqrt(Arrays.stream(values).map(Loops::square).sum());
  }

  private List<double[]> momentum(MomentumRule rule) {
    double[] g = decayed(rule.decoupled() ? 0 : rule.weightDecay());
    double shrink = rule.decoupled() ? rate * rule.weightDecay() : 0;
    double[] old = slots.getFirst();
    double[] v = stored(i -> rule.momentum() * old[i] + g[i]);
    double[] step = rule.nesterov() ? each(i -> g[i] + rule.momentum() * v[i]) : v;
    return List.of(each(i -> w[i] - shrink * w[i] - rate * step[i]), v);
  }

  private List<double[]> adam(AdamRule rule) {
    double[] g = decayed(rule.decoupled() ? 0 : rule.weightDecay());
    double[] m = mean(rule.beta1(), slots.get(0), i -> g[i]);
    double[] v = mean(rule.beta2(), slots.get(1), i -> square(g[i]));
    double[] u = adaptive(rule.beta1(), rule.beta2(), rule.epsilon(), m, v);
    double shrink = rule.decoupled() ? rate * rule.weightDecay() : 0;
    return List.of(each(i -> w[i] - shrink * w[i] - rate * u[i]), m, v);
  }

  /** (m / (1 − beta1ᵗ)) / (√(v / (1 − beta2ᵗ)) + epsilon). */
  private double[] adaptive(double beta1, double beta2, double epsilon, double[] m, double[] v) {
    double firstShare = 1 - Math.pow(beta1, steps);
    double secondShare = 1 - Math.pow(beta2, steps);
    return each(i -> (m[i] / firstShare) / (Math.sqrt(v[i] / secondShare) + epsilon));
  }

  private List<double[]> lamb(LambRule rule) {
    double[] m = mean(rule.beta1(), slots.get(0), i -> gradient[i]);
    double[] v = mean(rule.beta2(), slots.get(1), i -> square(gradient[i]));
    double[] a = adaptive(rule.beta1(), rule.beta2(), rule.epsilon(), m, v);
    double[] u = each(i -> a[i] + rule.weightDecay() * w[i]);
    double ofW = norm(w);
    double ofU = norm(u);
    double trust = ofW == 0 || ofU == 0 ? 1 : ofW / ofU;
    return List.of(each(i -> w[i] - rate * trust * u[i]), m, v);
  }

  private List<double[]> lars(LarsRule rule) {
    double ofW = norm(w);
    double ofG = norm(gradient);
    double local = ofW == 0 || ofG == 0 ? 1 : rule.trust() * ofW / (ofG + rule.weightDecay() * ofW);
    double[] g = decayed(rule.weightDecay());
    double[] old = slots.getFirst();
    double[] v = stored(i -> rule.momentum() * old[i] + rate * local * g[i]);
    return List.of(each(i -> w[i] - v[i]), v);
  }

  private List<double[]> rmsProp(RmsPropRule rule) {
    double[] g = decayed(rule.weightDecay());
    List<double[]> after = new ArrayList<>();
    double[] s = mean(rule.smoothing(), slots.getFirst(), i -> square(g[i]));
    after.add(s);
    double[] spread = s;
    if (rule.centered()) {
      double[] a = mean(rule.smoothing(), slots.get(1), i -> g[i]);
      after.add(a);
      spread = each(i -> Math.max(0, s[i] - square(a[i])));
    }
    double[] under = spread;
    double[] step = each(i -> g[i] / (Math.sqrt(under[i]) + rule.epsilon()));
    if (rule.momentum() > 0) {
      double[] old = slots.getLast();
      double[] u = step;
      step = stored(i -> rule.momentum() * old[i] + u[i]);
      after.add(step);
    }
    double[] last = step;
    after.addFirst(each(i -> w[i] - rate * last[i]));
    return after;
  }

  private List<double[]> adagrad(AdagradRule rule) {
    double[] g = decayed(rule.weightDecay());
    double[] old = slots.getFirst();
    double[] s = stored(i -> old[i] + square(g[i]));
    double[] moved =
        each(i -> w[i] - rate * g[i] / (Math.sqrt(rule.initial() + s[i]) + rule.epsilon()));
    return List.of(moved, s);
  }
}
