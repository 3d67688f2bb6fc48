package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (w, gradient, rate, rows, count) → w with rate · gradient[i] subtracted from row rows[i], for
 * each i below count: the bits of {@link SgdRule} without decay for the gradient that has these
 * rows and is zero elsewhere.
 *
 * <p>Shapes: w [V, D], gradient [K, D], rate a scalar, rows INT64 [K] without a number twice, count
 * an INT64 scalar. Errors: a row outside of w, or a count outside of 0 to K, is a {@link
 * DataException} on every backend; nothing is read or written out of bounds.
 */
public record SgdRowsRule() implements Update {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at)
            .count(5)
            .floating(0)
            .dtype(1, 2, in.getFirst().dtype())
            .floating(2)
            .dtype(3, 5, DType.INT64)
            .rank(0, 2, "[V, D]")
            .rank(1, 2, "[K, D]")
            .rank(2, 0, "[]")
            .rank(3, 1, "[K]")
            .rank(4, 0, "[]");
    must.shape(
        in.get(0).dim(1) == in.get(1).dim(1) && in.get(1).dim(0) == in.get(3).dim(0),
        "a gradient of D columns with a row for each number in rows",
        "Pass the rows as CoalesceRows yields them.");
    return in.subList(0, 1);
  }

  /** {@code row}, element {@code number} of rows; throws unless w's {@code size} rows have it. */
  public int row(CellPath at, double row, int number, int size) {
    if (!(row >= 0 && row < size)) {
      throw wrong(
          at,
          "rows from 0 to %d (size %d)".formatted(size - 1, size),
          "row %.0f as element %d of the rows".formatted(row, number));
    }
    return (int) row;
  }

  /** {@code count}; throws unless it is a count of some of these {@code rows}. */
  public int count(CellPath at, double count, int rows) {
    if (!(count >= 0 && count <= rows)) {
      throw wrong(
          at, "a count from 0 to %d, the rows there are".formatted(rows), "%.0f".formatted(count));
    }
    return (int) count;
  }

  private DataException wrong(CellPath at, String expected, String got) {
    String fix = "Pass rows and count as CoalesceRows yields them for the rows of w.";
    return new DataException(new Problem(label(), at.text(), expected, got, fix));
  }
}
