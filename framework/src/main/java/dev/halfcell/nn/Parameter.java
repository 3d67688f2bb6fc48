package dev.halfcell.nn;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;

/**
 * A cell's declaration of a value it needs. It holds no value: values live in the state of a run.
 *
 * @param name its name inside the cell
 * @param spec its spec in the state: FP32 at every level
 * @param initializer how it starts
 * @param trainable whether an optimizer moves it; a running statistic is not trainable
 */
public record Parameter(String name, TensorSpec spec, Initializer initializer, boolean trainable) {
  /** Its key in a state, when its cell stands at {@code cell}. */
  public Variable in(CellPath cell) {
    Variable.Kind kind = trainable ? Variable.Kind.PARAMETER : Variable.Kind.STATISTIC;
    return new Variable(kind, cell.child(name));
  }

  /** Demands at least one size, and each of them at least 1. */
  static void requireSizes(String cell, int... sizes) {
    ArgumentException.require(
        sizes.length >= 1 && Arrays.stream(sizes).allMatch(size -> size >= 1),
        cell,
        "sizes of at least 1",
        Arrays.toString(sizes));
  }
}
