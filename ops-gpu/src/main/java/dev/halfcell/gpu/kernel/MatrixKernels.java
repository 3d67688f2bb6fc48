package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.gpu.library.Multiplication.Operand;
import dev.halfcell.gpu.library.Product;
import dev.halfcell.gpu.library.ProductLibrary;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Products of matrices: by NVIDIA's library, or by own kernels where that does not. */
final class MatrixKernels {
  private static final int MOST_MATRICES = 65535;

  private MatrixKernels() {}

  static Recipe of(Code code, Linear op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    return switch (op) {
      case MatMul product -> product(code, multiplication(product, in, out.getFirst(), at));
      case Dense _ -> throw Kernels.refusal(op.label(), "another op", at);
    };
  }

  private static Multiplication multiplication(
      MatMul op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    Shape y = out.shape();
    Shape leading = y.head(y.rank() - 2);
    long matrices = leading.size();
    for (TensorSpec operand : in) {
      Shape own = operand.shape().head(operand.shape().rank() - 2);
      if (own.size() != 1 && !own.equals(leading) || matrices > MOST_MATRICES) {
        throw Kernels.refusal(op.label(), in.get(0) + " and " + in.get(1), at);
      }
    }
    Shape a = in.get(0).shape();
    int k = a.dim(a.rank() - (op.transposeA() ? 2 : 1));
    return new Multiplication(
        in.getFirst().dtype(),
        out.dtype(),
        new Multiplication.Size(y.dim(y.rank() - 2), y.dim(y.rank() - 1), k),
        Math.toIntExact(matrices),
        operand(op.transposeA(), a, matrices),
        operand(op.transposeB(), in.get(1).shape(), matrices));
  }

  private static Operand operand(boolean transposed, Shape shape, long matrices) {
    long one = (long) shape.dim(shape.rank() - 2) * shape.dim(shape.rank() - 1);
    return new Operand(transposed, matrices > 1 && shape.size() == one);
  }

  private static Recipe product(Code code, Multiplication of) {
    return code.products()
        .product(of)
        .map(product -> byLibrary(code.kernels(), of, product))
        .orElseGet(() -> Recipe.of(place -> List.of(own(code.kernels(), of, place))));
  }

  private static Recipe byLibrary(KernelLibrary kernels, Multiplication of, Product product) {
    long bytes = product.workspaceBytes();
    return new Recipe(
        ProductLibrary.NAME,
        bytes == 0 ? List.of() : List.of(bytes),
        place ->
            List.of(
                new ProductLaunch(
                    product,
                    new Product.Place(
                        place.in(0).memory(),
                        place.in(1).memory(),
                        place.out(0).memory(),
                        bytes == 0 ? DeviceMemory.NONE : place.workspaces().getFirst()),
                    own(kernels, of, place))));
  }

  private static Launch own(KernelLibrary kernels, Multiplication of, Recipe.Place place) {
    return ProductKernels.launch(
        kernels, of, place.in(0).memory(), place.in(1).memory(), place.out(0).memory());
  }
}
