package dev.halfcell.testkit;

import dev.halfcell.nn.Cell;
import java.util.List;
import java.util.function.Supplier;

/**
 * A cell with inputs to try it on.
 *
 * @param make makes the cell
 * @param inputs its inputs, away from points where a derivative jumps; what is data is FP32
 */
public record CellCase(Supplier<Cell> make, List<Argument> inputs) {
  public CellCase {
    inputs = List.copyOf(inputs);
  }

  /** A case of a cell. */
  public static CellCase of(Supplier<Cell> make, Argument... inputs) {
    return new CellCase(make, List.of(inputs));
  }

  /** The class of the cell. */
  Class<?> cell() {
    return make.get().getClass();
  }

  @Override
  public String toString() {
    return cell().getSimpleName() + inputs.stream().map(Argument::shape).toList();
  }
}
