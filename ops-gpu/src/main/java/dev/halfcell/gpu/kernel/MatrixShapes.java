package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Optional;

/**
 * Which matrices are multiplied: y = a · b for each place of {@code leading}.
 *
 * @param in the dtype of a and b
 * @param out that of y: the same, or FP32
 * @param size of one product
 * @param leading the leading axes of y
 */
record MatrixShapes(
    DType in, DType out, Multiplication.Size size, Shape leading, Operand a, Operand b) {
  /** The library counts no more matrices. */
  private static final int MOST_MATRICES = 65535;

  /**
   * How the matrices of an operand lie.
   *
   * @param transposed whether columns come first
   * @param leading its own leading axes, which are repeated to those of y
   */
  record Operand(boolean transposed, Shape leading) {
    private static Operand of(boolean transposed, Shape shape) {
      return new Operand(transposed, shape.head(shape.rank() - 2));
    }
  }

  static MatrixShapes of(MatMul op, List<TensorSpec> in, TensorSpec out) {
    Shape a = in.get(0).shape();
    Shape b = in.get(1).shape();
    Shape y = out.shape();
    Multiplication.Size size =
        new Multiplication.Size(
            y.dim(y.rank() - 2), y.dim(y.rank() - 1), a.dim(a.rank() - (op.transposeA() ? 2 : 1)));
    return new MatrixShapes(
            in.getFirst().dtype(),
            out.dtype(),
            size,
            y.head(y.rank() - 2),
            Operand.of(op.transposeA(), a),
            Operand.of(op.transposeB(), b))
        .folded();
  }

  /** All rows of x times the weight transposed. */
  static MatrixShapes dense(TensorSpec x, TensorSpec weight) {
    int rows = Math.toIntExact(x.size() / weight.dim(1));
    return new MatrixShapes(
        x.dtype(),
        x.dtype(),
        new Multiplication.Size(rows, weight.dim(0), weight.dim(1)),
        Shape.SCALAR,
        new Operand(false, Shape.SCALAR),
        new Operand(true, Shape.SCALAR));
  }

  /** One product in the place of many, where all of them multiply by the same b. */
  private MatrixShapes folded() {
    if (a.transposed || b.leading.size() != 1 || !a.leading.equals(leading)) {
      return this;
    }
    return new MatrixShapes(
        in,
        out,
        new Multiplication.Size(Math.toIntExact(size.m() * leading.size()), size.n(), size.k()),
        Shape.SCALAR,
        new Operand(false, Shape.SCALAR),
        new Operand(b.transposed, Shape.SCALAR));
  }

  long matrices() {
    return leading.size();
  }

  /** The same in FP32. */
  MatrixShapes wide() {
    return new MatrixShapes(in, DType.FP32, size, leading, a, b);
  }

  /** For the library; nothing where an operand is repeated in a way that it does not know. */
  Optional<Multiplication> multiplication() {
    boolean plain =
        List.of(a, b).stream()
            .allMatch(each -> each.leading.size() == 1 || each.leading.equals(leading));
    if (!plain || matrices() > MOST_MATRICES) {
      return Optional.empty();
    }
    return Optional.of(
        new Multiplication(
            in, out, size, Math.toIntExact(matrices()), multiplied(a), multiplied(b)));
  }

  private Multiplication.Operand multiplied(Operand operand) {
    boolean repeated = matrices() > 1 && operand.leading.size() == 1;
    return new Multiplication.Operand(operand.transposed, repeated);
  }

  /** For a kernel; nothing where there are more leading axes than it takes. */
  Optional<List<Argument>> views() {
    return View.repeated(a.leading, leading)
        .argument()
        .flatMap(ofA -> View.repeated(b.leading, leading).argument().map(ofB -> List.of(ofA, ofB)));
  }

  /** {@code struct Product}. */
  Argument product(Tiles tiles, long chunk) {
    return new Argument.Words(
        List.of(
            (long) size.m(),
            (long) size.n(),
            (long) size.k(),
            matrices(),
            tiles.across(),
            tiles.down(),
            chunk,
            a.transposed ? 1L : (long) size.k(),
            a.transposed ? (long) size.m() : 1L,
            b.transposed ? 1L : (long) size.n(),
            b.transposed ? (long) size.k() : 1L));
  }
}
