package dev.halfcell.plan;

import dev.halfcell.op.CellPath;
import java.util.List;

/**
 * One call of a kernel.
 *
 * @param work what is computed
 * @param in the slots it reads, in the order that the work says
 * @param out the slots it fills, in the order that the work says
 * @param at the cell on whose behalf
 */
public record Task(Work work, List<Integer> in, List<Integer> out, CellPath at) {
  public Task {
    in = List.copyOf(in);
    out = List.copyOf(out);
  }

  /** The slot of input {@code index}. */
  public int in(int index) {
    return in.get(index);
  }

  /** The slot of output {@code index}. */
  public int out(int index) {
    return out.get(index);
  }

  @Override
  public String toString() {
    return at + " " + work.label() + " " + in + " -> " + out;
  }
}
