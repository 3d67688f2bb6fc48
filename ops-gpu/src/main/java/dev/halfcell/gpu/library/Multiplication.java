package dev.halfcell.gpu.library;

import dev.halfcell.tensor.DType;

/**
 * y = a · b, plus a bias for each column where there is one, and ReLU of that where it is asked
 * for, for each of a batch of matrices that lie densely one after the other, rows first. FP32, FP16
 * or BF16, added up in FP32 and rounded once.
 *
 * @param in the dtype of a and b
 * @param out that of y: the same, or FP32
 * @param size of one product
 * @param matrices how many products
 * @param ending what becomes of the sums before they are rounded
 */
public record Multiplication(
    DType in, DType out, Size size, int matrices, Operand a, Operand b, Ending ending) {
  /** One whose sums are rounded as they are. */
  public Multiplication(DType in, DType out, Size size, int matrices, Operand a, Operand b) {
    this(in, out, size, matrices, a, b, new Ending(false, false));
  }

  /**
   * What becomes of sums.
   *
   * @param biased whether a bias of the dtype of y is added
   * @param relu whether they become 0 below that
   */
  public record Ending(boolean biased, boolean relu) {}

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

  /** The same with another ending. */
  public Multiplication ending(boolean biased, boolean relu) {
    return new Multiplication(in, out, size, matrices, a, b, new Ending(biased, relu));
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
        ending);
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
        + (ending.biased ? " with a bias" : "")
        + (ending.relu ? " and ReLU" : "");
  }
}
