package dev.halfcell.backend;

import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the reference backend's plan of a step does and takes. */
final class ReferenceReport {
  private ReferenceReport() {}

  /** What a plan of this step takes: nothing is used twice. */
  static PlanReport of(Graph graph) {
    Set<Integer> own = givenResults(graph);
    own.addAll(graph.constants().keySet());
    graph.nodes().forEach(node -> own.addAll(node.out()));
    return new PlanReport(
        new PlanReport.Memory(
            SavedActivations.bytes(graph),
            bytes(graph, own),
            OptionalLong.empty(),
            bytes(graph, graph.constants().keySet()),
            0,
            graph.stateBytes()),
        schedule(graph));
  }

  private static long bytes(Graph graph, Collection<Integer> slots) {
    return specs(graph, slots).stream().mapToLong(TensorSpec::bytes).sum();
  }

  private static List<TensorSpec> specs(Graph graph, Collection<Integer> slots) {
    return slots.stream().map(slot -> graph.slots().get(slot)).toList();
  }

  private static List<PlannedTask> schedule(Graph graph) {
    List<StepPart> parts =
        StepPart.of(graph.nodes().stream().map(node -> piece(graph, node)).toList(), loss(graph));
    return IntStream.range(0, parts.size())
        .mapToObj(place -> told(graph, graph.nodes().get(place), parts.get(place)))
        .toList();
  }

  private static StepPart.Piece piece(Graph graph, Graph.Node node) {
    boolean updates = graph.inputs().isEmpty() || StepPart.updates(node.op());
    return new StepPart.Piece(updates, node.in(), node.out());
  }

  /** The place of the node that yields the loss, the first result; -1 where none does. */
  private static int loss(Graph graph) {
    List<Integer> results = graph.outcome().results();
    return IntStream.range(0, graph.nodes().size())
        .filter(
            place ->
                !results.isEmpty() && graph.nodes().get(place).out().contains(results.getFirst()))
        .findFirst()
        .orElse(-1);
  }

  private static PlannedTask told(Graph graph, Graph.Node node, StepPart part) {
    List<Integer> touched = new ArrayList<>(new LinkedHashSet<>(node.in()));
    touched.addAll(node.out());
    return new PlannedTask(
        node.at(),
        node.op().label(),
        part,
        "",
        specs(graph, node.out()).stream().map(PlannedTask.Out::rowMajor).toList(),
        new PlannedTask.Cost(
            bytes(graph, touched), 0, node.op().flops(specs(graph, node.in())), 0));
  }

  /** The results that are an input or a variable, which the step may change. */
  static Set<Integer> givenResults(Graph graph) {
    return graph.outcome().results().stream()
        .filter(slot -> graph.inputs().contains(slot) || graph.reads().containsKey(slot))
        .collect(Collectors.toSet());
  }
}
