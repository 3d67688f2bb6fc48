package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.square;
import static dev.halfcell.backend.reference.Loops.sum;

import dev.halfcell.op.normalization.Groups;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** Normalisation within each sample. */
final class GroupwiseKernels {
  private GroupwiseKernels() {}

  static List<double[]> forward(GroupwiseNormalization op, List<Tensor> in) {
    Groups groups = op.groups(Tensor.specs(in));
    int length = groups.length();
    double[] x = in.get(0).toArray();
    double[] gamma = in.get(1).toArray();
    double[] beta = op.centered() ? in.get(2).toArray() : new double[gamma.length];
    double[] mean = op.centered() ? means(groups, i -> x[i]) : new double[groups.count()];
    double[] squares = means(groups, i -> square(x[i] - mean[i / length]));
    double[] rstd = fill(groups.count(), g -> 1 / Math.sqrt(squares[g] + op.epsilon()));
    double[] y =
        fill(
            x.length,
            i -> {
              int p = groups.parameter(i);
              return gamma[p] * ((x[i] - mean[i / length]) * rstd[i / length]) + beta[p];
            });
    return op.centered() ? List.of(y, mean, rstd) : List.of(y, rstd);
  }

  static List<double[]> gradient(GroupwiseGradient op, List<Tensor> in) {
    Groups groups = op.groups(Tensor.specs(in));
    int length = groups.length();
    double[] d = in.get(0).toArray();
    double[] x = in.get(1).toArray();
    double[] gamma = in.get(2).toArray();
    double[] mean = op.centered() ? in.get(3).toArray() : new double[groups.count()];
    double[] rstd = in.getLast().toArray();
    double[] n = fill(x.length, i -> (x[i] - mean[i / length]) * rstd[i / length]);
    double[] g = fill(x.length, i -> gamma[groups.parameter(i)] * d[i]);
    double[] plain = op.centered() ? means(groups, i -> g[i]) : new double[groups.count()];
    double[] product = means(groups, i -> g[i] * n[i]);
    double[] dx =
        fill(
            x.length,
            i -> {
              int group = i / length;
              return rstd[group] * (g[i] - plain[group] - n[i] * product[group]);
            });
    double[] dgamma = parameterSums(groups, i -> d[i] * n[i]);
    return op.centered()
        ? List.of(dx, dgamma, parameterSums(groups, i -> d[i]))
        : List.of(dx, dgamma);
  }

  private static double[] means(Groups groups, IntToDoubleFunction value) {
    int length = groups.length();
    return fill(
        groups.count(),
        group -> sum(length, i -> value.applyAsDouble(group * length + i)) / length);
  }

  private static double[] parameterSums(Groups groups, IntToDoubleFunction value) {
    double[] sums = new double[groups.allParameters()];
    for (int i = 0; i < groups.count() * groups.length(); i++) {
      sums[groups.parameter(i)] += value.applyAsDouble(i);
    }
    return sums;
  }
}
