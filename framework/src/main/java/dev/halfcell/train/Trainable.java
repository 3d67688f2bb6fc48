package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What a network declares, by name, in the order of its cells. */
final class Trainable {
  private Trainable() {}

  /** The parameters that an optimizer may move. */
  static List<Variable> of(Cell net) {
    return List.copyOf(specs(net, Parameter::trainable).keySet());
  }

  /** The declarations that {@code wanted} accepts, with their specs. */
  static Map<Variable, TensorSpec> specs(Cell net, Predicate<Parameter> wanted) {
    Map<Variable, TensorSpec> specs = new LinkedHashMap<>();
    net.paths()
        .forEach(
            (cell, at) ->
                cell.parameters().stream()
                    .filter(wanted)
                    .forEach(parameter -> specs.put(parameter.in(at), parameter.spec())));
    return specs;
  }
}
