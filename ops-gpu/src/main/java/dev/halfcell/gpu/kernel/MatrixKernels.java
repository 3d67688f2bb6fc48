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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Products of matrices: by NVIDIA's library, or by own kernels where that does not. */
final class MatrixKernels {
  private static final int BIAS = 2;

  private MatrixKernels() {}

  static Recipe of(Code code, Linear op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    return switch (op) {
      case MatMul product -> product(code, product, in, out.getFirst(), at);
      case Dense _ -> dense(code, op, in, out.getFirst(), at);
    };
  }

  private static Recipe product(
      Code code, MatMul op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    Shape leading = leading(out);
    Shape leadingA = leading(in.get(0));
    Shape leadingB = leading(in.get(1));
    Multiplication of =
        new Multiplication(
            in.get(0).dtype(),
            out.dtype(),
            new Multiplication.Size(
                fromLast(out, 2), fromLast(out, 1), fromLast(in.get(0), op.transposeA() ? 2 : 1)),
            Math.toIntExact(leading.size()),
            new Operand(op.transposeA(), leadingA.size() < leading.size()),
            new Operand(op.transposeB(), leadingB.size() < leading.size()));
    boolean simple =
        (leadingA.size() == 1 || leadingA.equals(leading))
            && (leadingB.size() == 1 || leadingB.equals(leading));
    Optional<OwnProduct> own =
        simple
            ? Optional.of(OwnProduct.of(of.folded()))
            : OwnProduct.broadcast(of, leadingA, leadingB, leading);
    OwnProduct kernels =
        own.filter(OwnProduct::fits)
            .orElseThrow(() -> Kernels.refusal(op.label(), in.get(0) + " and " + in.get(1), at));
    return simple
        ? code.products()
            .product(of)
            .map(product -> byLibrary(code.kernels(), product, kernels))
            .orElseGet(() -> kernels.recipe(code.kernels(), Optional.empty()))
        : kernels.recipe(code.kernels(), Optional.empty());
  }

  private static Shape leading(TensorSpec spec) {
    return spec.shape().head(spec.rank() - 2);
  }

  private static int fromLast(TensorSpec spec, int axis) {
    return spec.dim(spec.rank() - axis);
  }

  /** y = x · weightᵀ + bias, all rows of x at once. */
  private static Recipe dense(
      Code code, Linear op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    TensorSpec x = in.getFirst();
    int features = fromLast(x, 1);
    long rows = x.size() / features;
    boolean biased = in.size() > BIAS;
    Multiplication.Size size =
        new Multiplication.Size(Math.toIntExact(rows), fromLast(out, 1), features);
    OwnProduct own = OwnProduct.of(multiplication(x.dtype(), out.dtype(), size));
    if (!own.fits()) {
      throw Kernels.refusal(op.label(), in.get(0) + " and " + in.get(1), at);
    }
    return code.products()
        .product(multiplication(x.dtype(), biased ? DType.FP32 : out.dtype(), size))
        .map(
            product ->
                biased
                    ? biasedByLibrary(code.kernels(), product, size)
                    : byLibrary(code.kernels(), product, own))
        .orElseGet(() -> own.recipe(code.kernels(), biased ? Optional.of(BIAS) : Optional.empty()));
  }

  private static Multiplication multiplication(DType in, DType out, Multiplication.Size size) {
    return new Multiplication(
        in, out, size, 1, new Operand(false, false), new Operand(true, false));
  }

  private static Recipe byLibrary(KernelLibrary kernels, Product product, OwnProduct own) {
    long bytes = product.workspaceBytes();
    return new Recipe(
        ProductLibrary.NAME,
        bytes == 0 ? List.of() : List.of(bytes),
        place -> {
          DeviceMemory workspace = bytes == 0 ? DeviceMemory.NONE : place.workspaces().getFirst();
          return List.of(launch(kernels, product, own, place, place.out(0).memory(), workspace));
        });
  }

  /** The sums in FP32, to which the bias is added before they are rounded. */
  private static Recipe biasedByLibrary(
      KernelLibrary kernels, Product product, Multiplication.Size size) {
    long bytes = product.workspaceBytes();
    List<Long> workspaces = new ArrayList<>(List.of((long) size.m() * size.n() * Float.BYTES));
    if (bytes > 0) {
      workspaces.add(bytes);
    }
    return new Recipe(
        ProductLibrary.NAME,
        workspaces,
        place -> {
          DeviceMemory sums = place.workspaces().getFirst();
          OwnProduct own =
              OwnProduct.of(multiplication(place.in(0).spec().dtype(), DType.FP32, size));
          DeviceMemory workspace = bytes == 0 ? DeviceMemory.NONE : place.workspaces().get(1);
          return List.of(
              launch(kernels, product, own, place, sums, workspace),
              PartialSums.whole(size.k())
                  .put(kernels, sums, place.in(BIAS).argument(), place.out(0)));
        });
  }

  private static Launch launch(
      KernelLibrary kernels,
      Product product,
      OwnProduct own,
      Recipe.Place place,
      DeviceMemory y,
      DeviceMemory workspace) {
    DeviceMemory a = place.in(0).memory();
    DeviceMemory b = place.in(1).memory();
    return new ProductLaunch(
        product,
        new Product.Place(a, b, y, workspace),
        own.whole(kernels, new OwnProduct.Place(a, b, KernelLaunch.NONE, y)));
  }
}
