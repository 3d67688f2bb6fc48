package dev.halfcell.plan;

import dev.halfcell.backend.Graph;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much there is to compute, as {@link Op#flops} counts it. Fusing tasks changes nothing, for a
 * task's work is counted in the ops that {@link Work#define} says.
 */
public final class Arithmetic {
  private Arithmetic() {}

  /** The floating-point operations of a task. */
  public static long flops(Program program, Task task) {
    AtomicLong flops = new AtomicLong();
    Executor counting =
        (op, in, at) -> {
          flops.addAndGet(op.flops(Tensor.specs(in)));
          return op.infer(Tensor.specs(in), at).stream().map(Tensor::symbol).toList();
        };
    List<Tensor> in = task.in().stream().map(program::spec).map(Tensor::symbol).toList();
    var _ = task.work().define(new Ops(counting, task.at()), in);
    return flops.get();
  }

  /** The floating-point operations of a whole program: of a step, forward and backward. */
  public static long flops(Program program) {
    return program.tasks().stream().mapToLong(task -> flops(program, task)).sum();
  }

  /** The same of a step as it was recorded. */
  public static long flops(Graph graph) {
    return flops(Program.of(graph));
  }
}
