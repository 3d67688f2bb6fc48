package dev.halfcell.plan;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.update.Clip;
import dev.halfcell.op.update.UpdateRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How one parameter is updated in a program: its gradient is unscaled and may be clipped, and a
 * rule moves it and its slots.
 *
 * @param unscale the task that divides its gradient by the scale
 * @param clip the task that bounds the gradient behind the check, if there is one
 * @param rule the task that computes the new values
 * @param target the same as data
 */
record ParameterUpdate(Task unscale, Optional<Task> clip, Task rule, UpdateAll.Target target) {
  /** What {@code check} checks as {@code gradient}, if it is used as {@link FuseUpdate} demands. */
  static Optional<ParameterUpdate> of(Program program, Uses uses, Task check, int gradient) {
    Optional<Task> reader = onlyReader(uses, gradient, Optional.of(check));
    Optional<Task> clip = reader.filter(task -> Uses.op(task, Clip.class).isPresent());
    Optional<Task> rule = clip.isEmpty() ? reader : onlyReader(uses, clip.get().out(0), clip);
    Optional<UpdateRule> op = rule.flatMap(task -> Uses.op(task, UpdateRule.class));
    Optional<Task> unscale = uses.producer(gradient, Unscale.class);
    if (op.isEmpty() || rule.isEmpty() || unscale.isEmpty()) {
      return Optional.empty();
    }
    ParameterUpdate update =
        new ParameterUpdate(unscale.get(), clip, rule.get(), new UpdateAll.Target(op.get()));
    int ruled = clip.map(task -> task.out(0)).orElse(gradient);
    boolean asDemanded =
        Collections.frequency(check.in(), gradient) == 1
            && update.rule.in(1 + update.target.slots()) == ruled
            && clip.stream().allMatch(task -> bounds(task, gradient, check))
            && update.movesInPlace(program, uses);
    return asDemanded ? Optional.of(update) : Optional.empty();
  }

  /** The one task that reads a slot beside {@code other}, where the outcome does not name it. */
  private static Optional<Task> onlyReader(Uses uses, int slot, Optional<Task> other) {
    List<Task> readers =
        uses.readers(slot).stream().filter(task -> !Optional.of(task).equals(other)).toList();
    return readers.size() == 1 && !uses.kept(slot)
        ? Optional.of(readers.getFirst())
        : Optional.empty();
  }

  /** Whether a clip takes the gradient and, if it takes a norm, that of the check. */
  private static boolean bounds(Task clip, int gradient, Task check) {
    return clip.in(0) == gradient && (clip.in().size() == 1 || clip.in(1) == check.out(1));
  }

  /** What bounds the gradient. */
  Optional<Clip> bound() {
    return clip.flatMap(task -> Uses.op(task, Clip.class));
  }

  /** The tasks that it stands for. */
  List<Task> tasks() {
    List<Task> tasks = new ArrayList<>(List.of(unscale, rule));
    clip.ifPresent(tasks::add);
    return tasks;
  }

  /** Whether each new value goes only to the variable whose old value was read in its place. */
  private boolean movesInPlace(Program program, Uses uses) {
    Map<Variable, Integer> assigns = program.outcome().assigns();
    return IntStream.rangeClosed(0, target.slots())
        .allMatch(
            i -> {
              int after = rule.out(i);
              Variable variable = program.reads().get(rule.in(i));
              return variable != null
                  && variable.guarded()
                  && Collections.frequency(program.reads().values(), variable) == 1
                  && Collections.frequency(rule.in(), rule.in(i)) == 1
                  && uses.readers(after).isEmpty()
                  && !program.outcome().results().contains(after)
                  && Collections.frequency(assigns.values(), after) == 1
                  && Objects.equals(assigns.get(variable), after);
            });
  }

  /** The slot of the scale that the gradient is divided by. */
  int scale() {
    return unscale.in(1);
  }

  /** The slots of the variables that it moves: the parameter and what the rule keeps for it. */
  List<Integer> state() {
    return rule.in().subList(0, 1 + target.slots());
  }

  /** The inputs of {@link UpdateAll} for this parameter. */
  List<Integer> inputs() {
    List<Integer> in = new ArrayList<>(List.of(unscale.in(0)));
    in.addAll(state());
    in.addAll(rule.in().subList(2 + target.slots(), rule.in().size()));
    return in;
  }
}
