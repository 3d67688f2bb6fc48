package dev.halfcell.backend.reference;

import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.AvgPool2dGradient;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

final class PoolingKernels {
  private PoolingKernels() {}

  static List<double[]> compute(Pooling op, List<Tensor> in) {
    double[] x = in.getFirst().toArray();
    return switch (op) {
      case MaxPool2d(Windows2d windows) -> max(new PoolingWalk(windows, in.getFirst().shape()), x);
      case MaxPool2dGradient(Windows2d windows, Shape input) ->
          List.of(maxGradient(new PoolingWalk(windows, input), x, in.get(1).toArray()));
      case AvgPool2d(Windows2d windows, boolean countPadding) ->
          List.of(average(new PoolingWalk(windows, in.getFirst().shape()), countPadding, x));
      case AvgPool2dGradient(Windows2d windows, boolean countPadding, Shape input) ->
          List.of(averageGradient(new PoolingWalk(windows, input), countPadding, x));
    };
  }

  private static List<double[]> max(PoolingWalk walk, double[] x) {
    double[] y = new double[walk.outputSize()];
    double[] position = new double[y.length];
    Arrays.fill(position, -1);
    walk.places(
        (output, image, place) -> {
          boolean larger =
              x[image] > y[output] || Double.isNaN(x[image]) && !Double.isNaN(y[output]);
          if (position[output] < 0 || larger) {
            y[output] = x[image];
            position[output] = place;
          }
        });
    return List.of(y, position);
  }

  private static double[] maxGradient(PoolingWalk walk, double[] d, double[] position) {
    double[] dx = new double[walk.inputSize()];
    walk.places(
        (output, image, place) -> {
          if (position[output] == place) {
            dx[image] += d[output];
          }
        });
    return dx;
  }

  private static double[] average(PoolingWalk walk, boolean countPadding, double[] x) {
    double[] sums = new double[walk.outputSize()];
    walk.places((output, image, place) -> sums[output] += x[image]);
    return Loops.fill(sums.length, i -> sums[i] / walk.count(i, countPadding));
  }

  private static double[] averageGradient(PoolingWalk walk, boolean countPadding, double[] d) {
    double[] dx = new double[walk.inputSize()];
    walk.places(
        (output, image, place) -> dx[image] += d[output] / walk.count(output, countPadding));
    return dx;
  }
}
