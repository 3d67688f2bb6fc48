package dev.halfcell.plan;

import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.pooling.MaxPool2d;
import java.util.Optional;

/**
 * ReLU whose output only a max pooling reads becomes one task with it. Run after {@link
 * MaskBelowPooling}, which frees the output of the backward pass, and before {@link FuseRelu}.
 */
final class FuseReluMaxPool implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    for (Task pooling : program.tasks()) {
      Optional<MaxPool2d> op = Uses.op(pooling, MaxPool2d.class);
      Optional<Task> relu = op.flatMap(_ -> uses.producer(pooling.in(0), Relu.class));
      if (relu.isPresent() && uses.onlyFor(pooling, relu.get().out(0))) {
        edits.drop(relu.get());
        Work work = new Work.ReluMaxPool(op.orElseThrow().windows());
        edits.replace(pooling, new Task(work, relu.get().in(), pooling.out(), pooling.at()));
      }
    }
    return edits.of(program);
  }
}
