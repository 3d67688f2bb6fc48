package dev.halfcell.op.indexing;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Ops with indices among their inputs: INT32 or INT64, of any shape. An index below 0 or too large
 * is a {@link DataException} on every backend; nothing is read out of bounds.
 */
public sealed interface Indexing extends Op
    permits CoalesceRows, Embedding, Gather, OneHot, ScatterAdd {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.INFER;
  }

  /** Throws unless {@code index}, element {@code place} of the indices, is below {@code size}. */
  static int require(Op op, CellPath at, double index, long place, int size) {
    if (!(index >= 0 && index < size)) {
      throw new DataException(
          new Problem(
              op.label(),
              at.text(),
              "indices from 0 to %d (size %d)".formatted(size - 1, size),
              "index %.0f as element %d of the indices".formatted(index, place),
              "Check the numbers that the data holds against the size of what they look up."));
    }
    return (int) index;
  }

  /** The sizes of {@code x} with the axes of {@code indices} in the place of one axis. */
  static List<Integer> lookedUp(Shape x, int axis, Shape indices) {
    List<Integer> dims = new ArrayList<>(x.dims().subList(0, axis));
    dims.addAll(indices.dims());
    dims.addAll(x.dims().subList(axis + 1, x.rank()));
    return dims;
  }
}
