package dev.halfcell.plan;

import dev.halfcell.op.shape.Reshape;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * A {@link Reshape} becomes a view: no task, the same storage. Comes last, for the other rewrites
 * look through no view.
 *
 * @param sameOrder whether the elements of the one spec lie in memory as those of the other; always
 *     so in dense row-major layout
 */
record ShareStorage(BiPredicate<TensorSpec, TensorSpec> sameOrder) implements Rewrite {
  @Override
  public Program apply(Program program) {
    Map<Integer, Integer> views = new HashMap<>(program.views());
    Edits edits = new Edits();
    for (Task task : program.tasks()) {
      boolean shares =
          Uses.op(task, Reshape.class).isPresent()
              && sameOrder.test(program.spec(task.in(0)), program.spec(task.out(0)));
      if (shares) {
        views.put(task.out(0), views.getOrDefault(task.in(0), task.in(0)));
        edits.drop(task);
      }
    }
    return edits.of(program).viewing(views);
  }
}
