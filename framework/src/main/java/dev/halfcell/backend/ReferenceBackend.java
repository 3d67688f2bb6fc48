package dev.halfcell.backend;

import dev.halfcell.op.Executor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorScope;
import java.util.EnumSet;

/**
 * Plain Java loops in double with one rounding to the result's dtype: what every other backend is
 * measured against. It is slow, runs on one thread, holds no memory of its own, and is chosen by
 * name, never instead of another.
 */
public final class ReferenceBackend implements Backend {
  /** The name users choose it by. */
  public static final String NAME = "reference";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(EnumSet.of(DType.FP64, DType.FP32, DType.FP16, DType.BF16));
  }

  @Override
  public Executor eager(TensorScope scope) {
    return new ReferenceExecutor(scope);
  }

  /** Compiles op after op, whatever the options allow: a plan here is never anything but plain. */
  @Override
  public Plan compile(Graph graph, Variables state, PlanOptions options, Collective collective) {
    return new ReferencePlan(graph, state);
  }

  /** Does nothing: plans own their memory. */
  @Override
  public void close() {}
}
