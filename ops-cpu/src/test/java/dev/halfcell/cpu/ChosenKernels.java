package dev.halfcell.cpu;

import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.testkit.OpCase;
import java.util.List;

/** Which kernels the backend takes for an op. */
final class ChosenKernels {
  private ChosenKernels() {}

  /** Their names, as a schedule has them; none where it does not offer the op. */
  static List<String> of(CpuBackend backend, OpCase each, DType dtype) {
    boolean wide = each.inferred(dtype).stream().anyMatch(out -> out.dtype() == DType.FP64);
    if (wide || !backend.offers(each.op(), each.specs(DType.FP32))) {
      return List.of();
    }
    Variables none = new None();
    TracingExecutor tracing = new TracingExecutor(none);
    List<Tensor> in = each.specs(dtype).stream().map(tracing::input).toList();
    List<Tensor> out = tracing.execute(each.op(), in, OpCase.PATH);
    try (Plan plan =
        backend.compile(
            tracing.graph(Outcome.of(out)), none, PlanOptions.PLAIN, Collective.single())) {
      return plan.report().schedule().stream().map(task -> task.kernel()).toList();
    }
  }

  private record None() implements Variables {
    @Override
    public Tensor read(Variable variable) {
      throw new IllegalArgumentException(variable.toString());
    }

    @Override
    public long seed() {
      return 0;
    }
  }
}
