package dev.halfcell.cpu.plan;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.update.UpdateRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How one parameter is updated in a program: its gradient is unscaled, and a rule moves it and its
 * slots.
 *
 * @param unscale the task that divides its gradient by the scale
 * @param rule the task that computes the new values
 * @param target the same as data
 */
record ParameterUpdate(Task unscale, Task rule, UpdateAll.Target target) {
  /** What {@code check} checks as {@code gradient}, if it is used as {@link FuseUpdate} demands. */
  static Optional<ParameterUpdate> of(Program program, Uses uses, Task check, int gradient) {
    List<Task> rules = uses.readers(gradient).stream().filter(t -> !t.equals(check)).toList();
    if (rules.size() != 1 || uses.kept(gradient)) {
      return Optional.empty();
    }
    return uses.producer(gradient, Unscale.class)
        .flatMap(
            unscale ->
                Uses.op(rules.getFirst(), UpdateRule.class)
                    .map(UpdateAll.Target::new)
                    .map(target -> new ParameterUpdate(unscale, rules.getFirst(), target)))
        .filter(
            update ->
                Collections.frequency(check.in(), gradient) == 1
                    && update.rule.in(1 + update.target.slots()) == gradient
                    && update.movesInPlace(program, uses));
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
