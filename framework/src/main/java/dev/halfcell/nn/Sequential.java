package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.Map;

/** Its cells one after the other, named by their place: 0, 1, 2, ... */
public final class Sequential extends Cell {
  /** These cells, in this order. */
  public Sequential(Cell... cells) {
    for (Cell cell : cells) {
      child(String.valueOf(children().size()), cell);
    }
  }

  /** These cells under names of their own, in the map's order. */
  public Sequential(Map<String, Cell> cells) {
    cells.forEach(this::child);
  }

  /** The cells, in order. */
  public List<Cell> cells() {
    return List.copyOf(children().values());
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor[] x = inputs;
    for (Cell cell : children().values()) {
      x = new Tensor[] {f.call(cell, x)};
    }
    return x[0];
  }
}
