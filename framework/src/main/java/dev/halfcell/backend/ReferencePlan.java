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

/** The ops of a graph one after the other, into memory that was allocated for each of them. */
final class ReferencePlan implements Plan {
  private record Step(Graph.Node node, List<Tensor> out) {}

  private static final TaskWatch NOBODY =
      new TaskWatch() {
        @Override
        public void began() {}

        @Override
        public void ended(int task) {}
      };

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
      ReferenceReport.givenResults(graph)
          .forEach(slot -> kept.put(slot, scope.allocate(graph.slots().get(slot))));
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
    return run(inputs, NOBODY);
  }

  @Override
  public List<Tensor> run(List<Tensor> inputs, TaskWatch watch) {
    try (ThreadGuard.Pass _ = guard.enter()) {
      requireOpen();
      PlanInputs.require(graph, inputs);
      return replay(inputs, watch);
    }
  }

  private List<Tensor> replay(List<Tensor> inputs, TaskWatch watch) {
    try (TensorScope.Hold _ = TensorScope.hold(inputs);
        TensorScope.Hold _ = TensorScope.hold(variables)) {
      for (int i = 0; i < inputs.size(); i++) {
        slots[graph.inputs().get(i)] = inputs.get(i);
      }
      watch.began();
      for (int place = 0; place < steps.size(); place++) {
        Step step = steps.get(place);
        Kernels.run(step.node().op(), tensors(step.node().in()), step.out(), step.node().at());
        if (step.node().op() instanceof AllReduce(var reduction)) {
          collective.allReduce(reduction, step.out().getFirst(), step.node().at());
        }
        watch.ended(place);
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

  @Override
  public PlanReport report() {
    return ReferenceReport.of(graph);
  }

  @Override
  public void close() {
    try (ThreadGuard.Pass _ = guard.enter()) {
      closed = true;
      scope.close();
    }
  }
}
