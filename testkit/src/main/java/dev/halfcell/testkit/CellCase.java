package dev.halfcell.testkit;

import dev.halfcell.nn.Cell;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;

/**
 * A cell with inputs to try it on.
 *
 * @param make makes the cell
 * @param inputs its inputs, away from points where a derivative jumps; what is data is FP32
 * @param differentiable by how many leading inputs it has a gradient, those of whole numbers aside
 */
public record CellCase(Supplier<Cell> make, List<Argument> inputs, int differentiable) {
  public CellCase {
    inputs = List.copyOf(inputs);
  }

  /** A case of a cell with a gradient by every floating input. */
  public static CellCase of(Supplier<Cell> make, Argument... inputs) {
    return new CellCase(make, List.of(inputs), inputs.length);
  }

  /** The same of a cell with a gradient by its first input alone. */
  CellCase byFirst() {
    return new CellCase(make, inputs, 1);
  }

  /** The class of the cell. */
  Class<?> cell() {
    return make.get().getClass();
  }

  /** What the case is one of: the cell, or what a cell of the test's own was made to call. */
  Class<?> tried() {
    Cell made = make.get();
    boolean own = !Modifier.isPublic(made.getClass().getModifiers());
    return own ? made.children().values().iterator().next().getClass() : made.getClass();
  }

  @Override
  public String toString() {
    return cell().getSimpleName() + inputs.stream().map(Argument::shape).toList();
  }
}
