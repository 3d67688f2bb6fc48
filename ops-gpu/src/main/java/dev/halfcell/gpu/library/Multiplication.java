package dev.halfcell.gpu.library;

import dev.halfcell.tensor.DType;

/**
 * y = a · b, plus a bias for each column where there is one, for each of a batch of matrices that
 * lie densely one after the other, rows first. FP32, FP16 or BF16, added up in FP32 and rounded
 * once.
 *
 * @param in the dtype of a and b
 * @param out that of y: the same, or FP32
 * @param size of one product
 * @param matrices how many products
 * @param biased whether there is a bias, of the dtype of y
 */
public record Multiplication(
    DType in, DType out, Size size, int matrices, Operand a, Operand b, boolean biased) {
  /** One without bias. */
  public Multiplication(DType in, DType out, Size size, int matrices, Operand a, Operand b) {
    this(in, out, size, matrices, a, b, false);
  }

  /**
   * Of a product.
   *
   * @param m the rows of y
   * @param n its columns
   * @param k the columns of a, which are the rows of b
   */
  public record Size(int m, int n, int k) {}

  /**
   * How the matrices of an operand lie.
   *
   * @param transposed whether columns come first
   * @param repeated whether there is one matrix for all products
   */
  public record Operand(boolean transposed, boolean repeated) {}

  /** The same with a bias. */
  public Multiplication withBias() {
    return new Multiplication(in, out, size, matrices, a, b, true);
  }

  /**
   * The same with one product in the place of many, where all of them multiply by the same b: the
   * rows of all a are those of one matrix.
   */
  public Multiplication folded() {
    long rows = (long) size.m * matrices;
    boolean one = b.repeated && !a.repeated && !a.transposed && rows <= Integer.MAX_VALUE;
    if (!one) {
      return this;
    }
    return new Multiplication(
        in,
        out,
        new Size((int) rows, size.n, size.k),
        1,
        a,
        new Operand(b.transposed, false),
        biased);
  }

  @Override
  public String toString() {
    return matrices
        + " of ["
        + size.m
        + ", "
        + size.k
        + "] x ["
        + size.k
        + ", "
        + size.n
        + "] in "
        + in.label()
        + (out == in ? "" : " to " + out.label())
        + (biased ? " with a bias" : "");
  }
}
