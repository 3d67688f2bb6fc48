package dev.halfcell.plan;

import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.shape.Reshape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The check of all gradients, their unscaling, their clipping, the optimizer's rule for each
 * parameter and the assignments of what it yields become one {@link UpdateAll} task, which runs
 * when all that does not depend on the check has been computed.
 *
 * <p>All or nothing: only where each checked gradient is unscaled from the same scale and then read
 * by one rule alone or clipped for it, all in the same way, each rule's results are assigned to the
 * very variables that it read and seen by nobody else, the step's decision is the check's own flag,
 * and neither the outcome nor anything behind the check reads a variable that is overwritten,
 * reshaped or not.
 */
final class FuseUpdate implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    List<Task> checks =
        program.tasks().stream()
            .filter(task -> Uses.op(task, GradientCheck.class).isPresent())
            .toList();
    boolean decides =
        checks.size() == 1
            && program.outcome().apply().equals(Optional.of(checks.getFirst().out(0)));
    return decides ? fused(program, uses, checks.getFirst()) : program;
  }

  private static Program fused(Program program, Uses uses, Task check) {
    List<ParameterUpdate> updates = new ArrayList<>();
    for (int gradient : check.in().subList(1, check.in().size())) {
      Optional<ParameterUpdate> update = ParameterUpdate.of(program, uses, check, gradient);
      if (update.isEmpty()) {
        return program;
      }
      updates.add(update.get());
    }
    Set<Task> replaced = new HashSet<>(Set.of(check));
    updates.forEach(update -> replaced.addAll(update.tasks()));
    List<Task> rest = program.tasks().stream().filter(task -> !replaced.contains(task)).toList();
    Set<Integer> after = dependents(rest, check);
    boolean alike =
        updates.stream().map(ParameterUpdate::scale).distinct().count() == 1
            && updates.stream().map(ParameterUpdate::bound).distinct().count() == 1
            && updates.stream().flatMap(u -> u.inputs().stream()).noneMatch(after::contains);
    return alike && !readsLate(rest, uses, after, overwritten(program, updates))
        ? program
            .with(ordered(rest, updateAll(check, updates), after))
            .with(withoutAssigned(program, updates))
        : program;
  }

  /** The slots whose storage is overwritten, once reshapes are views. */
  private static Set<Integer> overwritten(Program program, List<ParameterUpdate> updates) {
    Set<Integer> slots = new HashSet<>();
    updates.forEach(update -> slots.addAll(update.state()));
    for (Task task : program.tasks()) {
      if (Uses.op(task, Reshape.class).isPresent() && slots.contains(task.in(0))) {
        slots.add(task.out(0));
      }
    }
    return slots;
  }

  /** The slots that other tasks compute from what the check yields. */
  private static Set<Integer> dependents(List<Task> rest, Task check) {
    Set<Integer> slots = new HashSet<>(check.out());
    for (Task task : rest) {
      if (task.in().stream().anyMatch(slots::contains)) {
        slots.addAll(task.out());
      }
    }
    return slots;
  }

  /** Whether the outcome or a task that fills one of {@code after} reads what is overwritten. */
  private static boolean readsLate(
      List<Task> rest, Uses uses, Set<Integer> after, Set<Integer> overwritten) {
    return overwritten.stream().anyMatch(uses::kept)
        || rest.stream()
            .filter(task -> task.out().stream().anyMatch(after::contains))
            .anyMatch(task -> task.in().stream().anyMatch(overwritten::contains));
  }

  private static List<Task> ordered(List<Task> rest, Task updateAll, Set<Integer> after) {
    List<Task> ordered = new ArrayList<>();
    rest.stream().filter(task -> !after.contains(task.out(0))).forEach(ordered::add);
    ordered.add(updateAll);
    rest.stream().filter(task -> after.contains(task.out(0))).forEach(ordered::add);
    return ordered;
  }

  private static Task updateAll(Task check, List<ParameterUpdate> updates) {
    List<Integer> in = new ArrayList<>(List.of(check.in(0), updates.getFirst().scale()));
    updates.forEach(update -> in.addAll(update.inputs()));
    Work work =
        new UpdateAll(
            updates.stream().map(ParameterUpdate::target).toList(), updates.getFirst().bound());
    return new Task(work, in, check.out(), check.at());
  }

  private static Outcome<Integer> withoutAssigned(Program program, List<ParameterUpdate> updates) {
    Set<Integer> done = new HashSet<>();
    updates.forEach(update -> done.addAll(update.rule().out()));
    Map<Variable, Integer> assigns = new LinkedHashMap<>(program.outcome().assigns());
    assigns.values().removeIf(done::contains);
    return new Outcome<>(program.outcome().results(), program.outcome().apply(), assigns);
  }
}
