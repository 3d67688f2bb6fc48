package dev.halfcell.backend;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A recorded step: ops over numbered slots, and where the slots that no op fills come from.
 * Immutable.
 *
 * @param slots the spec of each slot
 * @param inputs the slots that each run binds anew, in order
 * @param reads the slots that hold a variable of the state
 * @param constants the slots that hold a value known when the step was recorded
 * @param nodes the ops in an order in which they can run
 * @param outcome what the step yields
 */
public record Graph(
    List<TensorSpec> slots,
    List<Integer> inputs,
    Map<Integer, Variable> reads,
    Map<Integer, Tensor> constants,
    List<Node> nodes,
    Outcome<Integer> outcome) {
  /** One op: which slots it reads, which it fills, and for which cell. */
  public record Node(Op op, List<Integer> in, List<Integer> out, CellPath at) {
    public Node {
      in = List.copyOf(in);
      out = List.copyOf(out);
    }
  }

  public Graph {
    slots = List.copyOf(slots);
    inputs = List.copyOf(inputs);
    reads = Map.copyOf(reads);
    constants = Map.copyOf(constants);
    nodes = List.copyOf(nodes);
  }

  /** The same graph with other nodes. */
  public Graph with(List<Node> others) {
    return new Graph(slots, inputs, reads, constants, others, outcome);
  }

  /** The same graph without the nodes that nothing of its outcome depends on. */
  public Graph live() {
    return with(needed(needs()));
  }

  /** The bytes of all variables that it reads or assigns. */
  public long stateBytes() {
    Map<Variable, TensorSpec> specs = new HashMap<>();
    reads.forEach((slot, variable) -> specs.put(variable, slots.get(slot)));
    outcome.assigns().forEach((variable, slot) -> specs.put(variable, slots.get(slot)));
    return specs.values().stream().mapToLong(TensorSpec::bytes).sum();
  }

  /** The slots that the outcome names. */
  public Set<Integer> needs() {
    Set<Integer> needs = new HashSet<>(outcome.results());
    outcome.apply().ifPresent(needs::add);
    needs.addAll(outcome.assigns().values());
    return needs;
  }

  /** The nodes that these slots depend on, in their order. */
  public List<Node> needed(Collection<Integer> slotsWanted) {
    Set<Integer> wanted = new HashSet<>(slotsWanted);
    Deque<Node> kept = new ArrayDeque<>();
    for (Node node : nodes.reversed()) {
      if (node.out().stream().anyMatch(wanted::contains)) {
        wanted.addAll(node.in());
        kept.addFirst(node);
      }
    }
    return List.copyOf(kept);
  }
}
