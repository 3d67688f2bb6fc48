package dev.halfcell.op.loss;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.util.OptionalLong;

/**
 * What a label asks the probabilities of its row to be: 1 − smoothing for its class, and smoothing
 * / C more for each of the C classes. Source: Szegedy et al., "Rethinking the Inception
 * Architecture", CVPR 2016, section 7.
 *
 * @param smoothing at least 0 and below 1
 * @param ignored the label of rows that are left out, as of padding; it need not be a class
 */
public record Targets(double smoothing, OptionalLong ignored) {
  /** The label's class alone; every row counts. */
  public static final Targets PLAIN = new Targets(0, OptionalLong.empty());

  public Targets {
    ArgumentException.require(
        smoothing >= 0 && smoothing < 1, "label smoothing", "at least 0 and below 1", smoothing);
  }

  /** Whether rows with this label count. */
  public boolean counts(long label) {
    return ignored.isEmpty() || ignored.getAsLong() != label;
  }

  /**
   * The class of a row.
   *
   * @throws DataException where the label is none of {@code classes} classes
   */
  public static int requireClass(String op, CellPath at, long label, int row, int classes) {
    if (label < 0 || label >= classes) {
      throw new DataException(
          new Problem(
              op,
              at.text(),
              "labels from 0 to %d (%d classes)".formatted(classes - 1, classes),
              "label %d in row %d".formatted(label, row),
              "Check the data set's labels and the number of outputs of the network."));
    }
    return (int) label;
  }
}
