package dev.halfcell.backend;

import dev.halfcell.backend.reference.Kernels;
import dev.halfcell.op.collective.AllReduce;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.UsageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The ops of a graph one after the other, into memory that was allocated for each of them. */
final class ReferencePlan implements Plan {
  private record Step(Graph.Node node, List<Tensor> out) {}

  private final ThreadGuard guard = new ThreadGuard("Plan");
  private final TensorScope scope = TensorScope.open();
  private final Graph graph;
  private final Variables state;
  private final Collective collective;
  private final Tensor[] slots;
  private final List<Tensor> variables;
  private final List<Step> steps;
  private final Map<Integer, Tensor> kept = new HashMap<>();
  private boolean closed;

  ReferencePlan(Graph graph, Variables state, Collective collective) {
    this.collective = collective;
    this.graph = graph;
    this.state = state;
    this.slots = new Tensor[graph.slots().size()];
    try {
      this.variables = graph.reads().values().stream().map(state::read).toList();
      graph.reads().forEach((slot, variable) -> slots[slot] = state.read(variable));
      graph.constants().forEach((slot, value) -> slots[slot] = scope.copy(value));
      this.steps = graph.nodes().stream().map(node -> new Step(node, allocate(node))).toList();
      givenResults(graph).forEach(slot -> kept.put(slot, scope.allocate(graph.slots().get(slot))));
    } catch (RuntimeException | Error e) {
      scope.close();
      throw e;
    }
  }

  private List<Tensor> allocate(Graph.Node node) {
    node.out().forEach(slot -> slots[slot] = scope.allocate(graph.slots().get(slot)));
    return tensors(node.out());
  }

  private List<Tensor> tensors(List<Integer> numbers) {
    return numbers.stream().map(slot -> slots[slot]).toList();
  }

  @Override
  public List<Tensor> run(List<Tensor> inputs) {
    try (ThreadGuard.Pass _ = guard.enter()) {
      requireOpen();
      PlanInputs.require(graph, inputs);
      return replay(inputs);
    }
  }

  private List<Tensor> replay(List<Tensor> inputs) {
    try (TensorScope.Hold _ = TensorScope.hold(inputs);
        TensorScope.Hold _ = TensorScope.hold(variables)) {
      for (int i = 0; i < inputs.size(); i++) {
        slots[graph.inputs().get(i)] = inputs.get(i);
      }
      for (Step step : steps) {
        Kernels.run(step.node().op(), tensors(step.node().in()), step.out(), step.node().at());
        if (step.node().op() instanceof AllReduce(var reduction)) {
          collective.allReduce(reduction, step.out().getFirst(), step.node().at());
        }
      }
      kept.forEach((slot, copy) -> copy.data().copyFrom(slots[slot].data()));
      Commit.to(state, graph.outcome().map(slot -> slots[slot]));
      return graph.outcome().results().stream()
          .map(slot -> kept.getOrDefault(slot, slots[slot]))
          .toList();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new UsageException(
          new Problem("Plan", "", "an open plan", "one that is closed", "Compile another one."));
    }
  }

  /** The results that are an input or a variable, which the step may change. */
  private static Set<Integer> givenResults(Graph graph) {
    return graph.outcome().results().stream()
        .filter(slot -> graph.inputs().contains(slot) || graph.reads().containsKey(slot))
        .collect(Collectors.toSet());
  }

  @Override
  public PlanReport report() {
    return report(graph);
  }

  /** What a plan of this step takes: nothing is used twice. */
  static PlanReport report(Graph graph) {
    Set<Integer> own = givenResults(graph);
    own.addAll(graph.constants().keySet());
    graph.nodes().forEach(node -> own.addAll(node.out()));
    long peakBytes = own.stream().mapToLong(slot -> graph.slots().get(slot).bytes()).sum();
    List<String> schedule =
        graph.nodes().stream()
            .map(n -> n.at() + " " + n.op().label() + " " + n.in() + " -> " + n.out())
            .toList();
    return new PlanReport(
        SavedActivations.bytes(graph), peakBytes, 0, graph.stateBytes(), schedule);
  }

  @Override
  public void close() {
    try (ThreadGuard.Pass _ = guard.enter()) {
      closed = true;
      scope.close();
    }
  }
}
