package dev.halfcell.plan;

import dev.halfcell.op.precision.Casting;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntToLongFunction;

/**
 * What the forward pass of a program keeps for the rest of the step. The forward pass ends with the
 * task that yields the loss, the first result; what it filled and a later task reads was kept:
 * activations, masks, indices and workspaces. Not counted: inputs, variables, constants, casts of
 * variables, and the loss itself. A value and its views count once.
 */
public final class ActivationBytes {
  private ActivationBytes() {}

  /**
   * The size of all that is kept.
   *
   * @param bytes the storage of a slot, which need not be dense
   */
  public static long of(Program program, IntToLongFunction bytes) {
    return kept(program).stream().mapToLong(bytes::applyAsLong).sum();
  }

  /** The slots that are kept, each the storage of its value. */
  public static Set<Integer> kept(Program program) {
    int loss = loss(program);
    Set<Integer> filled = new HashSet<>();
    for (Task task : program.tasks().subList(0, loss + 1)) {
      if (!castsVariable(program, task)) {
        filled.addAll(task.out());
      }
    }
    program.outcome().results().stream().limit(1).map(program::storage).forEach(filled::remove);
    Set<Integer> kept = new HashSet<>();
    for (Task task : program.tasks().subList(loss + 1, program.tasks().size())) {
      task.in().stream().map(program::storage).filter(filled::contains).forEach(kept::add);
    }
    return kept;
  }

  private static boolean castsVariable(Program program, Task task) {
    boolean casts = task.work() instanceof Work.Round || Uses.op(task, Casting.class).isPresent();
    return casts && program.reads().containsKey(program.storage(task.in(0)));
  }

  /** The place of the task that yields the first result; -1 where no task does. */
  static int loss(Program program) {
    List<Integer> results = program.outcome().results();
    return results.isEmpty()
        ? -1
        : new Uses(program)
            .producer(program.storage(results.getFirst()))
            .map(task -> program.tasks().indexOf(task))
            .orElse(-1);
  }
}
