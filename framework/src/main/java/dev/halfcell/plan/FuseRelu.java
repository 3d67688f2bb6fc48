package dev.halfcell.plan;

import dev.halfcell.op.Op;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.linear.Dense;
import java.util.Optional;

/** A convolution or dense layer whose output only a ReLU reads becomes one task with it. */
final class FuseRelu implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    for (Task relu : program.tasks()) {
      if (Uses.op(relu, Relu.class).isEmpty()) {
        continue;
      }
      Optional<Task> producer =
          uses.producer(relu.in(0)).filter(task -> uses.onlyFor(relu, task.out(0)));
      Optional<Work> fused = producer.flatMap(FuseRelu::fused);
      if (fused.isPresent()) {
        Task layer = producer.orElseThrow();
        edits.drop(layer);
        edits.replace(relu, new Task(fused.get(), layer.in(), relu.out(), layer.at()));
      }
    }
    return edits.of(program);
  }

  private static Optional<Work> fused(Task layer) {
    if (layer.work() instanceof Work.Single(Op op)) {
      if (op instanceof Conv2d(Conv2dGeometry geometry)) {
        return Optional.of(new Work.ConvolutionRelu(geometry));
      }
      if (op instanceof Dense) {
        return Optional.of(new Work.DenseRelu());
      }
    }
    return Optional.empty();
  }
}
