package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Products of matrices and convolutions whose sums are rounded after each product: {@code
 * partials.cu}. cuBLASLt's sums in half are in an order of its own and take no part in it.
 */
final class PartialsKernels {
  private static final String FILE = "partials";

  private PartialsKernels() {}

  static Recipe of(
      KernelLibrary kernels, WithPartials op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    DType dtype = in.getFirst().dtype();
    Kernels.requireComputed(op, dtype, at);
    return switch (op.of()) {
      case Linear linear -> {
        OwnProduct product = MatrixKernels.own(linear, in, out, at);
        yield recipe(kernels.kernel(FILE, "partial_product", dtype), op, shapes(product), 3);
      }
      case Conv2dWeightGradient gradient ->
          recipe(
              kernels.kernel(FILE, "partial_weight_gradient", dtype),
              op,
              List.of(ConvolutionShapes.of(gradient, in, out, at).argument(1, 1, false)),
              2);
      case Convolution convolution ->
          recipe(
              kernels.kernel(FILE, "partial_convolution", dtype),
              op,
              List.of(ConvolutionShapes.of(convolution, in, out, at).argument(1, 1, false)),
              3);
    };
  }

  /**
   * A thread for each element of the result.
   *
   * @param inputs how many the kernel takes: the last of three is a bias, which may be missing
   */
  private static Recipe recipe(
      GpuKernel kernel, WithPartials op, List<Argument> shapes, int inputs) {
    return Recipe.of(
        place -> {
          List<Argument> arguments = new ArrayList<>();
          for (int i = 0; i < inputs; i++) {
            arguments.add(i < place.in().size() ? place.in(i).argument() : KernelLaunch.NONE);
          }
          TensorSpec out = place.out(0).spec();
          boolean widens = out.dtype() != place.in(0).spec().dtype();
          arguments.add(place.out(0).argument());
          arguments.add(new Argument.Int32(number(op.dtype())));
          arguments.add(new Argument.Int32(widens ? 1 : 0));
          arguments.addAll(shapes);
          return List.of(KernelLaunch.each(kernel, out.size(), arguments));
        });
  }

  /** What sums are kept in, as kernels take it. */
  private static int number(DType dtype) {
    return switch (dtype) {
      case FP16 -> 0;
      case BF16 -> 1;
      case FP32 -> 2;
      case FP64 -> 3;
      case INT32, INT64, UINT8, BOOL -> throw new IllegalStateException("sums in " + dtype);
    };
  }

  /** Sizes, the steps down and to the right in each operand, and which matrices meet. */
  private static List<Argument> shapes(OwnProduct product) {
    Multiplication of = product.of();
    Multiplication.Size size = of.size();
    long m = size.m();
    long n = size.n();
    long k = size.k();
    boolean a = of.a().transposed();
    boolean b = of.b().transposed();
    return List.of(
        new Argument.Words(
            List.of(m, n, k, (long) of.matrices(), a ? 1 : k, a ? m : 1, b ? 1 : n, b ? k : 1)),
        product.matrixA(),
        product.matrixB());
  }
}
