package dev.halfcell.backend;

import dev.halfcell.op.precision.Casting;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.shape.Reshape;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the forward pass of a recorded training step keeps for the rest of the step: activations,
 * masks and indices. The forward pass is what the first result, the loss, depends on. Not counted:
 * parameters and casts of them, the bound batch, constants. A reshaped tensor, or one that leaves
 * its cell, is the same storage and counts once.
 */
public final class SavedActivations {
  private SavedActivations() {}

  /** The size of all that is kept, in bytes. */
  public static long bytes(Graph graph) {
    List<Graph.Node> forward = graph.needed(graph.outcome().results().subList(0, 1));
    Map<Integer, Integer> storage = storage(forward, graph.reads().keySet());
    Set<Integer> produced = new HashSet<>();
    forward.forEach(node -> node.out().forEach(slot -> produced.add(storage.get(slot))));
    produced.removeAll(graph.reads().keySet());
    produced.removeAll(graph.inputs());
    produced.removeAll(graph.constants().keySet());
    Set<Graph.Node> inForward = new HashSet<>(forward);
    return graph.nodes().stream()
        .filter(node -> !inForward.contains(node))
        .flatMap(node -> node.in().stream())
        .map(slot -> storage.getOrDefault(slot, slot))
        .filter(produced::contains)
        .distinct()
        .mapToLong(slot -> graph.slots().get(slot).bytes())
        .sum();
  }

  /** For each slot that the forward pass fills, the slot whose storage it shares. */
  private static Map<Integer, Integer> storage(List<Graph.Node> forward, Set<Integer> reads) {
    Map<Integer, Integer> storage = new HashMap<>();
    for (Graph.Node node : forward) {
      int source = storage.getOrDefault(node.in().getFirst(), node.in().getFirst());
      boolean renamed = node.op() instanceof Reshape || node.op() instanceof CellOutput;
      boolean shared = renamed || node.op() instanceof Casting && reads.contains(source);
      node.out().forEach(slot -> storage.put(slot, shared ? source : slot));
    }
    return storage;
  }
}
