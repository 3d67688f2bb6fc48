package dev.halfcell.plan;

import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import java.util.List;
import java.util.Optional;

/**
 * A sum of two tensors of one shape becomes one task with the ReLU, or the gradient of a ReLU, that
 * alone reads it.
 */
final class FuseAddRelu implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    for (Task task : program.tasks()) {
      boolean forward = Uses.op(task, Relu.class).isPresent();
      if (forward || Uses.op(task, ReluGradient.class).isPresent()) {
        sum(program, uses, task)
            .ifPresent(
                add -> {
                  edits.drop(add);
                  edits.replace(task, forward ? relu(add, task) : gradient(add, task));
                });
      }
    }
    return edits.of(program);
  }

  private static Optional<Task> sum(Program program, Uses uses, Task task) {
    return uses.producer(task.in(0), Add.class)
        .filter(add -> uses.onlyFor(task, add.out(0)))
        .filter(add -> program.spec(add.in(0)).equals(program.spec(add.in(1))));
  }

  private static Task relu(Task add, Task relu) {
    return new Task(new Work.AddRelu(), add.in(), relu.out(), relu.at());
  }

  private static Task gradient(Task add, Task mask) {
    List<Integer> in = List.of(add.in(0), add.in(1), mask.in(1));
    return new Task(new Work.AddReluGradient(), in, mask.out(), mask.at());
  }
}
