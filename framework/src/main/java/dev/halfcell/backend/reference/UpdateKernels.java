package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.square;

import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.Update;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** A slot is rounded when it is stored, and the new parameter is computed from the rounded slot. */
final class UpdateKernels {
  private UpdateKernels() {}

  static List<double[]> compute(Update op, List<Tensor> in) {
    return switch (op) {
      case SgdRule(double weightDecay) -> List.of(sgd(weightDecay, in));
      case MomentumRule rule -> momentum(rule, in);
      case AdamRule rule -> adam(rule, in);
      case LearningRate(Schedule schedule) ->
          List.of(new double[] {schedule.rate((long) in.getFirst().item())});
      case Increment() -> List.of(new double[] {in.getFirst().item() + 1});
    };
  }

  private static double[] sgd(double weightDecay, List<Tensor> in) {
    double[] w = in.get(0).toArray();
    double[] gradient = in.get(1).toArray();
    double rate = in.get(2).item();
    return fill(w.length, i -> w[i] - rate * (gradient[i] + weightDecay * w[i]));
  }

  private static List<double[]> momentum(MomentumRule rule, List<Tensor> in) {
    DType dtype = in.getFirst().dtype();
    double[] w = in.get(0).toArray();
    double[] old = in.get(1).toArray();
    double[] g = decayed(in.get(2), w, rule.weightDecay());
    double rate = in.get(3).item();
    double[] velocity = fill(w.length, i -> dtype.round(rule.momentum() * old[i] + g[i]));
    double[] moved =
        fill(
            w.length,
            i ->
                w[i]
                    - rate
                        * (rule.nesterov() ? g[i] + rule.momentum() * velocity[i] : velocity[i]));
    return List.of(moved, velocity);
  }

  private static List<double[]> adam(AdamRule rule, List<Tensor> in) {
    DType dtype = in.getFirst().dtype();
    double[] w = in.get(0).toArray();
    double[] m = in.get(1).toArray();
    double[] v = in.get(2).toArray();
    double[] g = decayed(in.get(3), w, rule.decoupled() ? 0 : rule.weightDecay());
    double rate = in.get(4).item();
    double steps = in.get(5).item() + 1;
    double[] first =
        fill(w.length, i -> dtype.round(rule.beta1() * m[i] + (1 - rule.beta1()) * g[i]));
    double[] second =
        fill(w.length, i -> dtype.round(rule.beta2() * v[i] + (1 - rule.beta2()) * square(g[i])));
    double firstShare = 1 - Math.pow(rule.beta1(), steps);
    double secondShare = 1 - Math.pow(rule.beta2(), steps);
    double shrink = rule.decoupled() ? rate * rule.weightDecay() : 0;
    double[] moved =
        fill(
            w.length,
            i ->
                w[i]
                    - shrink * w[i]
                    - rate
                        * (first[i] / firstShare)
                        / (Math.sqrt(second[i] / secondShare) + rule.epsilon()));
    return List.of(moved, first, second);
  }

  private static double[] decayed(Tensor gradient, double[] w, double weightDecay) {
    double[] g = gradient.toArray();
    return fill(g.length, i -> g[i] + weightDecay * w[i]);
  }
}
