package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.square;

import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.function.IntToDoubleFunction;

final class NormalizationKernels {
  private NormalizationKernels() {}

  static List<double[]> compute(Normalization op, List<Tensor> in) {
    return switch (op) {
      case BatchNorm(double epsilon, boolean stable) -> batchNorm(epsilon, stable, in);
      case BatchNormGradient(double epsilon) -> gradient(epsilon, in);
      case Normalize(double epsilon) ->
          List.of(normalize(epsilon, in, in.get(3).toArray(), in.get(4).toArray()));
      case RunningAverage(double momentum, double factor) -> {
        double[] running = in.get(0).toArray();
        double[] batch = in.get(1).toArray();
        yield List.of(
            fill(running.length, c -> momentum * running[c] + (1 - momentum) * factor * batch[c]));
      }
      case GroupwiseNormalization g -> GroupwiseKernels.forward(g, in);
      case GroupwiseGradient g -> GroupwiseKernels.gradient(g, in);
    };
  }

  private static List<double[]> batchNorm(double epsilon, boolean stable, List<Tensor> in) {
    Channels channels = Channels.of(in.getFirst());
    double[] x = in.getFirst().toArray();
    double[] mean;
    double[] variance;
    if (stable) {
      mean = channels.means(i -> x[i]);
      variance = channels.means(i -> square(x[i] - mean[channels.at(i)]));
    } else {
      mean = new double[channels.count()];
      variance = channels.welford(x, mean);
    }
    return List.of(normalize(epsilon, in, mean, variance), mean, variance);
  }

  private static double[] normalize(
      double epsilon, List<Tensor> in, double[] mean, double[] variance) {
    Channels channels = Channels.of(in.getFirst());
    double[] x = in.get(0).toArray();
    double[] gamma = in.get(1).toArray();
    double[] beta = in.get(2).toArray();
    double[] deviation = fill(gamma.length, c -> Math.sqrt(variance[c] + epsilon));
    return fill(
        x.length,
        i -> {
          int c = channels.at(i);
          return gamma[c] * (x[i] - mean[c]) / deviation[c] + beta[c];
        });
  }

  private static List<double[]> gradient(double epsilon, List<Tensor> in) {
    Channels channels = Channels.of(in.getFirst());
    double[] d = in.get(0).toArray();
    double[] x = in.get(1).toArray();
    double[] gamma = in.get(2).toArray();
    double[] mean = in.get(3).toArray();
    double[] variance = in.get(4).toArray();
    double[] scale = fill(gamma.length, c -> 1 / Math.sqrt(variance[c] + epsilon));
    double[] normal = fill(x.length, i -> (x[i] - mean[channels.at(i)]) * scale[channels.at(i)]);
    double[] meanOfD = channels.means(i -> d[i]);
    double[] meanOfProduct = channels.means(i -> d[i] * normal[i]);
    double[] dx =
        fill(
            x.length,
            i -> {
              int c = channels.at(i);
              return gamma[c] * scale[c] * (d[i] - meanOfD[c] - normal[i] * meanOfProduct[c]);
            });
    return List.of(
        dx,
        fill(gamma.length, c -> meanOfProduct[c] * channels.elements()),
        fill(gamma.length, c -> meanOfD[c] * channels.elements()));
  }

  /** A tensor seen as batch x channels x positions. */
  private record Channels(int batch, int count, int positions) {
    static Channels of(Tensor x) {
      Shape rest = x.shape().tail().tail();
      return new Channels(x.spec().dim(0), x.spec().dim(1), Math.toIntExact(rest.size()));
    }

    int elements() {
      return batch * positions;
    }

    int at(int index) {
      return index / positions % count;
    }

    /** Yields the variances and fills in the means. Welford, Technometrics 4 (1962). */
    double[] welford(double[] x, double[] mean) {
      double[] squares = new double[count];
      int[] seen = new int[count];
      for (int i = 0; i < x.length; i++) {
        int c = at(i);
        double before = x[i] - mean[c];
        mean[c] += before / ++seen[c];
        squares[c] += before * (x[i] - mean[c]);
      }
      return fill(count, c -> squares[c] / elements());
    }

    double[] means(IntToDoubleFunction value) {
      double[] sums = new double[count];
      for (int i = 0; i < batch * count * positions; i++) {
        sums[at(i)] += value.applyAsDouble(i);
      }
      return fill(count, c -> sums[c] / elements());
    }
  }
}
