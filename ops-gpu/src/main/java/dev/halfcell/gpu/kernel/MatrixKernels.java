package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Products of matrices: {@code matmul.cu}. */
final class MatrixKernels {
  private static final int TILE = 16;
  private static final int MOST_MATRICES = 65535;

  private MatrixKernels() {}

  static Recipe of(
      KernelLibrary kernels, Linear op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    return switch (op) {
      case MatMul product -> product(kernels, product, in, out.getFirst(), at);
      case Dense _ -> throw Kernels.refusal(op.label(), "another op", at);
    };
  }

  /** How the matrices of an operand lie: as they are, or with rows and columns exchanged. */
  private record Matrices(int rows, int columns, boolean transposed, boolean repeated) {
    static Matrices of(Shape shape, boolean transposed, long matrices) {
      int first = shape.dim(shape.rank() - 2);
      int last = shape.dim(shape.rank() - 1);
      boolean repeated = matrices > 1 && shape.size() == (long) first * last;
      return transposed
          ? new Matrices(last, first, true, repeated)
          : new Matrices(first, last, false, repeated);
    }

    Argument batchStride() {
      return new Argument.Int64(repeated ? 0 : (long) rows * columns);
    }

    Argument rowStride() {
      return new Argument.Int32(transposed ? 1 : columns);
    }

    Argument columnStride() {
      return new Argument.Int32(transposed ? rows : 1);
    }
  }

  private static Recipe product(
      KernelLibrary kernels, MatMul op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    Shape y = out.shape();
    Shape leading = y.head(y.rank() - 2);
    long matrices = leading.size();
    for (TensorSpec operand : in) {
      Shape own = operand.shape().head(operand.shape().rank() - 2);
      if (own.size() != 1 && !own.equals(leading) || matrices > MOST_MATRICES) {
        throw Kernels.refusal(op.label(), in.get(0) + " and " + in.get(1), at);
      }
    }
    Matrices a = Matrices.of(in.get(0).shape(), op.transposeA(), matrices);
    Matrices b = Matrices.of(in.get(1).shape(), op.transposeB(), matrices);
    boolean wide = out.dtype() != in.getFirst().dtype();
    return Recipe.of(
        place -> {
          GpuKernel kernel =
              kernels.kernel("matmul", wide ? "matmul_wide" : "matmul", place.in(0).spec().dtype());
          int m = a.rows();
          int n = b.columns();
          Size grid =
              new Size(Math.ceilDiv(n, TILE), Math.ceilDiv(m, TILE), Math.toIntExact(matrices));
          return List.of(
              new Launch(
                  kernel,
                  grid,
                  new Size(TILE, TILE, 1),
                  List.of(
                      place.in(0).argument(),
                      place.in(1).argument(),
                      place.out(0).argument(),
                      new Argument.Int32(m),
                      new Argument.Int32(n),
                      new Argument.Int32(a.columns()),
                      a.batchStride(),
                      a.rowStride(),
                      a.columnStride(),
                      b.batchStride(),
                      b.rowStride(),
                      b.columnStride())));
        });
  }
}
