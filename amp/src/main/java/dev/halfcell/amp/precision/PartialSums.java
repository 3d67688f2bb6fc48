package dev.halfcell.amp.precision;

import dev.halfcell.backend.Graph;
import dev.halfcell.op.Op;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a plan's partials come to in a described step: which ops keep their sums as asked, and which
 * sum products and do not, since those are of FP32, or since they do more than that at once, as
 * attention and recurrent layers do.
 *
 * @param graph the step, whose first result is that of the forward pass
 */
record PartialSums(PrecisionPlan plan, Graph graph) {
  /** A cell's row with what its forward pass does. */
  PlanRow told(PlanRow row) {
    DType asked = plan.partials(row.path());
    if (!asked.half()) {
      return row;
    }
    List<Op> sums =
        graph.needed(graph.outcome().results().subList(0, 1)).stream()
            .filter(node -> node.at().equals(row.path()) && node.op().multiplyAdds(in(node)) > 0)
            .map(Graph.Node::op)
            .toList();
    String others =
        sums.stream()
            .filter(op -> !(op instanceof WithPartials))
            .map(Op::label)
            .distinct()
            .collect(Collectors.joining(", "));
    boolean any = sums.stream().anyMatch(WithPartials.class::isInstance);
    PlanRow told = any ? row.and(asked.label() + " partials") : row;
    return others.isEmpty() ? told : told.and(others + " with fp32 partials");
  }

  private List<TensorSpec> in(Graph.Node node) {
    return node.in().stream().map(slot -> graph.slots().get(slot)).toList();
  }

  /** For each half that is asked for, how many ops of all passes keep their sums in it. */
  Map<DType, Long> counted() {
    Map<DType, Long> counted = new EnumMap<>(DType.class);
    plan.cells().values().stream()
        .map(Decision::partials)
        .filter(DType::half)
        .forEach(dtype -> counted.computeIfAbsent(dtype, this::count));
    return counted;
  }

  private long count(DType dtype) {
    return graph.nodes().stream()
        .filter(node -> node.op() instanceof WithPartials sum && sum.dtype() == dtype)
        .count();
  }
}
