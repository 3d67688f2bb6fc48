package dev.halfcell.nn;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.List;

/**
 * Cells to be called one by one by the cell that this is a part of, named by their place: 0, 1, 2,
 * ... It computes nothing itself; {@link Sequential} is the list that does.
 *
 * <pre>{@code
 * private final CellList blocks = child("blocks", new CellList(new Dense(8, 8), new Dense(8, 8)));
 *
 * protected Tensor construct(Forward f, Tensor... in) {
 *   Tensor x = f.only(in);
 *   for (Cell block : blocks.cells()) {
 *     x = f.ops().add(x, f.call(block, x));
 *   }
 *   return x;
 * }
 * }</pre>
 */
public final class CellList extends Cell {
  /** These cells, in this order. */
  public CellList(Cell... cells) {
    for (Cell cell : cells) {
      child(String.valueOf(children().size()), cell);
    }
  }

  /** The cells, in order. */
  public List<Cell> cells() {
    return List.copyOf(children().values());
  }

  /** The cell at a place, from 0. */
  public Cell get(int place) {
    ArgumentException.require(
        place >= 0 && place < size(), "CellList", "a place from 0 to " + (size() - 1), place);
    return cells().get(place);
  }

  /** How many cells there are. */
  public int size() {
    return children().size();
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    throw new UsageException(
        new Problem(
            "CellList",
            f.path().text(),
            "calls of its cells",
            "a call of the list",
            "Call each cell of cells(), or use Sequential."));
  }
}
