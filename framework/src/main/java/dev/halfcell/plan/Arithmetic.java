package dev.halfcell.plan;

import dev.halfcell.backend.Graph;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
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
    List<Tensor> in =
        task.in().stream().map(slot -> widened(program.spec(slot))).map(Tensor::symbol).toList();
    var _ = task.work().define(new Ops(counting, task.at()), in);
    return flops.get();
  }

  /** Operations are counted alike in all dtypes; a plan may hold some inputs of an op wider. */
  private static TensorSpec widened(TensorSpec spec) {
    return spec.dtype().half() ? spec.as(DType.FP32) : spec;
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
