package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** One walk over all products of a convolution serves the op and both of its gradients. */
final class ConvolutionKernels {
  private ConvolutionKernels() {}

  static double[] compute(Convolution op, List<Tensor> in) {
    return switch (op) {
      case Conv2d(Conv2dGeometry geometry) -> forward(geometry, in);
      case Conv2dTranspose transpose -> {
        Shape input = transpose.infer(Tensor.specs(in), CellPath.ROOT).getFirst().shape();
        ConvolutionWalk walk = new ConvolutionWalk(transpose.geometry(), input, in.get(1).shape());
        yield biased(inputGradient(walk, in), in, input.dim(2) * input.dim(3));
      }
      case Conv2dInputGradient(Conv2dGeometry geometry, Shape input) ->
          inputGradient(new ConvolutionWalk(geometry, input, in.get(1).shape()), in);
      case Conv2dWeightGradient(Conv2dGeometry geometry, Shape weight, _) ->
          weightGradient(new ConvolutionWalk(geometry, in.get(1).shape(), weight), in);
    };
  }

  private static double[] forward(Conv2dGeometry geometry, List<Tensor> in) {
    double[] x = in.get(0).toArray();
    double[] weight = in.get(1).toArray();
    ConvolutionWalk walk = new ConvolutionWalk(geometry, in.get(0).shape(), in.get(1).shape());
    double[] y = new double[walk.outputSize()];
    walk.rows(
        (count, image, step, output, w) -> {
          for (int j = 0; j < count; j++) {
            y[output + j] += x[image + j * step] * weight[w];
          }
        });
    return biased(y, in, walk.outputHeight() * walk.outputWidth());
  }

  /** Adds the bias, where {@code in} has one, to planes of {@code plane} elements. */
  private static double[] biased(double[] y, List<Tensor> in, int plane) {
    if (in.size() == 2) {
      return y;
    }
    double[] bias = in.get(2).toArray();
    return Loops.fill(y.length, i -> y[i] + bias[i / plane % bias.length]);
  }

  private static double[] inputGradient(ConvolutionWalk walk, List<Tensor> in) {
    double[] d = in.get(0).toArray();
    double[] weight = in.get(1).toArray();
    double[] dx = new double[Math.toIntExact(walk.input().size())];
    walk.rows(
        (count, image, step, output, w) -> {
          for (int j = 0; j < count; j++) {
            dx[image + j * step] += d[output + j] * weight[w];
          }
        });
    return dx;
  }

  private static double[] weightGradient(ConvolutionWalk walk, List<Tensor> in) {
    double[] d = in.get(0).toArray();
    double[] x = in.get(1).toArray();
    double[] dweight = new double[Math.toIntExact(walk.weight().size())];
    walk.rows(
        (count, image, step, output, w) -> {
          double sum = 0;
          for (int j = 0; j < count; j++) {
            sum += d[output + j] * x[image + j * step];
          }
          dweight[w] += sum;
        });
    return dweight;
  }
}
