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
import java.util.function.DoubleBinaryOperator;

/** One walk over all products of a convolution serves the op and both of its gradients. */
final class ConvolutionKernels {
  private ConvolutionKernels() {}

  static double[] compute(Convolution op, List<Tensor> in, DoubleBinaryOperator plus) {
    return switch (op) {
      case Conv2d(Conv2dGeometry geometry) -> forward(geometry, in, plus);
      case Conv2dTranspose transpose -> {
        Shape input = transpose.infer(Tensor.specs(in), CellPath.ROOT).getFirst().shape();
        ConvolutionWalk walk = new ConvolutionWalk(transpose.geometry(), input, in.get(1).shape());
        yield biased(inputGradient(walk, in, plus), in, input.dim(2) * input.dim(3), plus);
      }
      case Conv2dInputGradient(Conv2dGeometry geometry, Shape input) ->
          inputGradient(new ConvolutionWalk(geometry, input, in.get(1).shape()), in, plus);
      case Conv2dWeightGradient(Conv2dGeometry geometry, Shape weight, _) ->
          weightGradient(new ConvolutionWalk(geometry, in.get(1).shape(), weight), in, plus);
    };
  }

  private static double[] forward(
      Conv2dGeometry geometry, List<Tensor> in, DoubleBinaryOperator plus) {
    double[] x = in.get(0).toArray();
    double[] weight = in.get(1).toArray();
    ConvolutionWalk walk = new ConvolutionWalk(geometry, in.get(0).shape(), in.get(1).shape());
    double[] y = new double[walk.outputSize()];
    walk.rows(
        (count, image, step, output, w) -> {
          for (int j = 0; j < count; j++) {
            double product = x[image + j * step] * weight[w];
            y[output + j] = plus.applyAsDouble(y[output + j], product);
          }
        });
    return biased(y, in, walk.outputHeight() * walk.outputWidth(), plus);
  }

  /** Adds the bias, where {@code in} has one, to planes of {@code plane} elements. */
  private static double[] biased(
      double[] y, List<Tensor> in, int plane, DoubleBinaryOperator plus) {
    if (in.size() == 2) {
      return y;
    }
    double[] bias = in.get(2).toArray();
    return Loops.fill(y.length, i -> plus.applyAsDouble(y[i], bias[i / plane % bias.length]));
  }

  private static double[] inputGradient(
      ConvolutionWalk walk, List<Tensor> in, DoubleBinaryOperator plus) {
    double[] d = in.get(0).toArray();
    double[] weight = in.get(1).toArray();
    double[] dx = new double[Math.toIntExact(walk.input().size())];
    walk.rows(
        (count, image, step, output, w) -> {
          for (int j = 0; j < count; j++) {
            int at = image + j * step;
            dx[at] = plus.applyAsDouble(dx[at], d[output + j] * weight[w]);
          }
        });
    return dx;
  }

  private static double[] weightGradient(
      ConvolutionWalk walk, List<Tensor> in, DoubleBinaryOperator plus) {
    double[] d = in.get(0).toArray();
    double[] x = in.get(1).toArray();
    double[] dweight = new double[Math.toIntExact(walk.weight().size())];
    walk.rows(
        (count, image, step, output, w) -> {
          double sum = dweight[w];
          for (int j = 0; j < count; j++) {
            sum = plus.applyAsDouble(sum, d[output + j] * x[image + j * step]);
          }
          dweight[w] = sum;
        });
    return dweight;
  }
}
