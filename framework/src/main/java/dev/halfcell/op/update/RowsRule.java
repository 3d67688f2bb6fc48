package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (w, slots ..., gradient, rate[, applied], rows, count) → w', slots' ...: a rule on some rows of a
 * table. Row rows[i] of w and of each slot moves as the rule moves it with row i of the gradient,
 * for each i below count; the others stay. Where the rule would leave rows without a gradient as
 * they are, as {@link SgdRule} does without decay, these are the bits of the rule for the gradient
 * that has these rows and is zero elsewhere.
 *
 * <p>Shapes: w, w' and slots [V, D], gradient [K, D], rate and applied as the rule takes them, rows
 * INT64 [K] without a number twice, count an INT64 scalar. Errors: a row outside of w, or a count
 * outside of 0 to K, is a {@link DataException} on every backend; nothing is read or written out of
 * bounds. A rule that needs norms of the whole parameter is refused.
 *
 * @param rule how a row moves
 */
public record RowsRule(UpdateRule rule) implements Update {
  public RowsRule {
    ArgumentException.require(
        !(rule instanceof LambRule || rule instanceof LarsRule),
        "rule of rows",
        "one that looks at no norm",
        rule);
  }

  /** Where the gradient stands among the inputs: behind w and its slots. */
  public int gradientInput() {
    return 1 + rule.slots().size();
  }

  /** Where the rows stand among the inputs: behind what the rule takes. */
  public int rowsInput() {
    return gradientInput() + (rule.counted() ? 3 : 2);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    int gradient = gradientInput();
    int rows = rowsInput();
    Requirements must =
        new Requirements(this, in, at)
            .count(rows + 2)
            .floating(0)
            .dtype(1, gradient + 1, in.getFirst().dtype())
            .floating(gradient + 1)
            .rank(gradient + 1, 0, "[]")
            .dtype(gradient + 2, rows + 2, DType.INT64)
            .rank(0, 2, "[V, D]")
            .rank(gradient, 2, "[K, D]")
            .rank(rows, 1, "[K]")
            .rank(rows + 1, 0, "[]");
    if (rule.counted()) {
      must.rank(gradient + 2, 0, "[]");
    }
    must.shape(
        in.subList(0, gradient).stream().distinct().count() == 1,
        "a table and slots of one shape",
        "Slots have the parameter's shape.");
    must.shape(
        in.get(0).dim(1) == in.get(gradient).dim(1)
            && in.get(gradient).dim(0) == in.get(rows).dim(0),
        "a gradient of D columns with a row for each number in rows",
        "Pass the rows as CoalesceRows yields them.");
    return in.subList(0, gradient);
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

  @Override
  public String label() {
    return rule.label() + "OfRows";
  }
}
