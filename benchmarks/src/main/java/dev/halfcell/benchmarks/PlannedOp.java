package dev.halfcell.benchmarks;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.nn.Promised;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** One op compiled to a plan of its own, with inputs that are there. */
public final class PlannedOp implements AutoCloseable {
  private final TensorScope scope = TensorScope.open();
  private final List<Tensor> inputs;
  private final Plan plan;

  /** With random inputs of these specs: numbers from 0 to 1, whole ones either of them. */
  public PlannedOp(Backend backend, Op op, TensorSpec... specs) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    inputs = List.of(specs).stream().map(spec -> filled(spec, random)).toList();
    TracingExecutor tracing = new TracingExecutor(new Promised(Map.of()));
    List<Tensor> promised = List.of(specs).stream().map(tracing::input).toList();
    List<Tensor> out = tracing.execute(op, promised, CellPath.STEP);
    plan =
        backend.compile(
            tracing.graph(Outcome.of(out)),
            new Promised(Map.of()),
            PlanOptions.FULL,
            Collective.single());
  }

  private Tensor filled(TensorSpec spec, RandomGenerator random) {
    Tensor tensor = scope.allocate(spec);
    DType dtype = spec.dtype();
    for (long i = 0; i < spec.size(); i++) {
      double value = dtype.floating() ? random.nextDouble() : random.nextInt(2);
      Elements.set(tensor.write(), dtype, i, value);
    }
    return tensor;
  }

  /** Computes it once; the results are valid until the next time. */
  public List<Tensor> run() {
    return plan.run(inputs);
  }

  @Override
  public void close() {
    plan.close();
    scope.close();
  }
}
