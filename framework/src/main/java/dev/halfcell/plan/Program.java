package dev.halfcell.plan;

import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A step as tasks over numbered slots: what a {@link Graph} becomes while it is compiled. A slot is
 * filled by one task, or it is an input, a read, a constant or a view. Immutable.
 *
 * @param slots the spec of each slot; rewrites add some and leave others without a use
 * @param inputs the slots that each run binds anew, in order
 * @param reads the slots that hold a variable of the state
 * @param constants the slots that hold a value known when the step was recorded
 * @param tasks the work, in an order in which it can be done
 * @param views for a slot that is another's storage under another shape, that other slot, which is
 *     not a view itself
 * @param outcome what the step yields; any kind of slot may occur in it. Variables that a task
 *     overwrites in place are not among its assignments
 */
public record Program(
    List<TensorSpec> slots,
    List<Integer> inputs,
    Map<Integer, Variable> reads,
    Map<Integer, Tensor> constants,
    List<Task> tasks,
    Map<Integer, Integer> views,
    Outcome<Integer> outcome) {
  public Program {
    slots = List.copyOf(slots);
    inputs = List.copyOf(inputs);
    reads = Map.copyOf(reads);
    constants = Map.copyOf(constants);
    tasks = List.copyOf(tasks);
    views = Map.copyOf(views);
  }

  /** A task for each node. */
  public static Program of(Graph graph) {
    return new Program(
        graph.slots(),
        graph.inputs(),
        graph.reads(),
        graph.constants(),
        graph.nodes().stream()
            .map(node -> new Task(new Work.Single(node.op()), node.in(), node.out(), node.at()))
            .toList(),
        Map.of(),
        graph.outcome());
  }

  /** The same program with other tasks. */
  public Program with(List<Task> others) {
    return new Program(slots, inputs, reads, constants, others, views, outcome);
  }

  /** The same program with another outcome. */
  public Program with(Outcome<Integer> other) {
    return new Program(slots, inputs, reads, constants, tasks, views, other);
  }

  /** The same program with other views. */
  public Program viewing(Map<Integer, Integer> others) {
    return new Program(slots, inputs, reads, constants, tasks, others, outcome);
  }

  /** The same program with further slots behind those it has. */
  public Program adding(List<TensorSpec> more) {
    List<TensorSpec> all = new ArrayList<>(slots);
    all.addAll(more);
    return new Program(all, inputs, reads, constants, tasks, views, outcome);
  }

  /** The same program with other specs of some slots. */
  public Program respecified(Map<Integer, TensorSpec> specs) {
    List<TensorSpec> all = new ArrayList<>(slots);
    specs.forEach(all::set);
    return new Program(all, inputs, reads, constants, tasks, views, outcome);
  }

  /**
   * The same program where each slot that {@code names} has is read under its new name; who fills
   * it stays.
   */
  public Program renamed(Map<Integer, Integer> names) {
    List<Task> renamed =
        tasks.stream()
            .map(
                task ->
                    new Task(
                        task.work(),
                        task.in().stream().map(slot -> names.getOrDefault(slot, slot)).toList(),
                        task.out(),
                        task.at()))
            .toList();
    return with(renamed).with(outcome.map(slot -> names.getOrDefault(slot, slot)));
  }

  /** The spec of a slot. */
  public TensorSpec spec(int slot) {
    return slots.get(slot);
  }

  /** The slot in whose storage this one's value lies: itself unless it is a view. */
  public int storage(int slot) {
    return views.getOrDefault(slot, slot);
  }

  /** The slots that the outcome names: they are read when all tasks have run. */
  public Set<Integer> kept() {
    Set<Integer> kept = new HashSet<>(outcome.results());
    outcome.apply().ifPresent(kept::add);
    kept.addAll(outcome.assigns().values());
    return kept;
  }

  /** The variables that a run may change: those that it assigns, and those that tasks overwrite. */
  public Set<Variable> changed() {
    Set<Variable> changed = new LinkedHashSet<>(outcome.assigns().keySet());
    for (Task task : tasks) {
      for (int position : task.work().overwrites()) {
        Optional.ofNullable(reads.get(storage(task.in(position)))).ifPresent(changed::add);
      }
    }
    return changed;
  }

  /** Whether a slot's value was there before the first task. */
  public boolean given(int slot) {
    return inputs.contains(slot) || reads.containsKey(slot) || constants.containsKey(slot);
  }
}
