package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;

import dev.halfcell.op.reduction.Extreme;
import dev.halfcell.op.reduction.ExtremeGradient;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.op.reduction.LogSoftmaxGradient;
import dev.halfcell.op.reduction.LogSumExp;
import dev.halfcell.op.reduction.Mean;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.SoftmaxGradient;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

final class ReductionKernels {
  private ReductionKernels() {}

  static List<double[]> compute(Reduction op, List<Tensor> in) {
    double[] x = in.getFirst().toArray();
    Shape shape = in.getFirst().shape();
    return switch (op) {
      case Sum(List<Integer> axes, _) -> List.of(new Groups(shape, axes).sums(x));
      case Mean mean -> {
        double[] sums = new Groups(shape, mean.axes()).sums(x);
        yield List.of(fill(sums.length, i -> sums[i] / mean.count(shape)));
      }
      case Extreme extreme -> extremes(extreme, new Groups(shape, extreme.axes()), x);
      case ExtremeGradient(Shape input, List<Integer> axes) ->
          List.of(spread(input, axes, x, in.get(1).toArray()));
      case LogSumExp(List<Integer> axes) -> List.of(new Groups(shape, axes).logSumExp(x));
      case Softmax(int axis) -> {
        double[] log = logSoftmax(shape, axis, x);
        yield List.of(fill(x.length, i -> Math.exp(log[i])));
      }
      case LogSoftmax(int axis) -> List.of(logSoftmax(shape, axis, x));
      case SoftmaxGradient(int axis) -> {
        double[] y = in.get(1).toArray();
        Groups groups = new Groups(shape, List.of(axis));
        double[] sums = groups.sums(fill(x.length, i -> x[i] * y[i]));
        yield List.of(fill(x.length, i -> y[i] * (x[i] - sums[groups.of(i)])));
      }
      case LogSoftmaxGradient(int axis) -> {
        double[] y = in.get(1).toArray();
        Groups groups = new Groups(shape, List.of(axis));
        double[] sums = groups.sums(x);
        yield List.of(fill(x.length, i -> x[i] - Math.exp(y[i]) * sums[groups.of(i)]));
      }
    };
  }

  /** x − m − ln Σ e^(x − m) and not x less the log-sum-exp: near 0 that would lose digits. */
  private static double[] logSoftmax(Shape shape, int axis, double[] x) {
    Groups groups = new Groups(shape, List.of(axis));
    double[] largest = groups.largest(x);
    double[] shifted = fill(x.length, i -> x[i] - largest[groups.of(i)]);
    double[] sums = groups.sums(fill(x.length, i -> Math.exp(shifted[i])));
    return fill(x.length, i -> shifted[i] - Math.log(sums[groups.of(i)]));
  }

  private static List<double[]> extremes(Extreme op, Groups groups, double[] x) {
    double[] best = new double[groups.count()];
    double[] position = new double[best.length];
    int[] met = new int[best.length];
    for (int i = 0; i < x.length; i++) {
      int group = groups.of(i);
      if (met[group] == 0 || op.replaces(x[i], best[group])) {
        best[group] = x[i];
        position[group] = met[group];
      }
      met[group]++;
    }
    return List.of(best, position);
  }

  private static double[] spread(Shape to, List<Integer> axes, double[] d, double[] position) {
    Groups groups = new Groups(to, axes);
    int[] met = new int[d.length];
    return fill(
        Math.toIntExact(to.size()),
        i -> {
          int group = groups.of(i);
          return position[group] == met[group]++ ? d[group] : 0;
        });
  }

  /** Which elements of a tensor are reduced to one. */
  private static final class Groups {
    private final int[] groups;
    private final int count;

    Groups(Shape shape, List<Integer> axes) {
      groups = Loops.positions(shape, axes::contains);
      count = Arrays.stream(groups).max().orElse(0) + 1;
    }

    int count() {
      return count;
    }

    int of(int element) {
      return groups[element];
    }

    double[] sums(double[] x) {
      double[] sums = new double[count];
      for (int i = 0; i < x.length; i++) {
        sums[groups[i]] += x[i];
      }
      return sums;
    }

    double[] largest(double[] x) {
      double[] largest = fill(count, _ -> Double.NEGATIVE_INFINITY);
      for (int i = 0; i < x.length; i++) {
        largest[groups[i]] = Math.max(largest[groups[i]], x[i]);
      }
      return largest;
    }

    double[] logSumExp(double[] x) {
      double[] largest = largest(x);
      double[] sums =
          sums(fill(x.length, i -> x[i] == largest[of(i)] ? 1 : Math.exp(x[i] - largest[of(i)])));
      return fill(count, i -> largest[i] + Math.log(sums[i]));
    }
  }
}
