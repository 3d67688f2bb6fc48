package dev.halfcell.plan;

import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import java.util.List;
import java.util.Optional;

/**
 * A cross entropy and its gradient become one task where the gradient of the loss is known before
 * it, as the loss scale is.
 */
final class FuseSoftmaxCrossEntropy implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    for (Task loss : program.tasks()) {
      Optional<SoftmaxCrossEntropy> op = Uses.op(loss, SoftmaxCrossEntropy.class);
      if (op.isEmpty()) {
        continue;
      }
      SoftmaxCrossEntropyGradient wanted = new SoftmaxCrossEntropyGradient(op.get());
      Optional<Task> gradient =
          uses.readers(loss.in(0), SoftmaxCrossEntropyGradient.class).stream()
              .filter(task -> task.work().equals(new Work.Single(wanted)))
              .filter(task -> task.in(0) == loss.in(0) && task.in(1) == loss.in(1))
              .filter(task -> uses.place(loss) < uses.place(task))
              .filter(task -> uses.ready(task.in(2), loss))
              .findFirst();
      gradient.ifPresent(
          task -> {
            List<Integer> out = List.of(loss.out(0), task.out(0));
            Work work = new Work.SoftmaxCrossEntropyWithGradient(op.get());
            edits.replace(loss, new Task(work, task.in(), out, loss.at()));
            edits.drop(task);
          });
    }
    return edits.of(program);
  }
}
