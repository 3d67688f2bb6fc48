package dev.halfcell.nn;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The values that a network declares, as promises: what a description reads that computes nothing.
 */
public record Promised(Map<Variable, TensorSpec> specs) implements Variables {
  public Promised {
    specs = Map.copyOf(specs);
  }

  /** What the cells of {@code net} declare. */
  public static Promised of(Cell net) {
    Map<Variable, TensorSpec> specs = new HashMap<>();
    net.paths()
        .forEach(
            (cell, path) -> {
              for (Parameter parameter : cell.parameters()) {
                specs.put(parameter.in(path), parameter.spec());
              }
            });
    return new Promised(specs);
  }

  @Override
  public Tensor read(Variable variable) {
    return Tensor.symbol(Objects.requireNonNull(specs.get(variable), variable::toString));
  }

  @Override
  public long seed() {
    return 0;
  }
}
