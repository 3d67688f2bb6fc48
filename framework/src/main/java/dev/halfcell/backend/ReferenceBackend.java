package dev.halfcell.backend;

import dev.halfcell.backend.reference.Kernels;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

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
    Set<DType> floating = EnumSet.of(DType.FP64, DType.FP32, DType.FP16, DType.BF16);
    return new Capabilities(floating, floating);
  }

  @Override
  public Executor eager(TensorScope scope) {
    return new ReferenceExecutor(scope);
  }

  /**
   * Computes one op into tensors that have the specs it infers: for what another backend leaves to
   * this one, and says so in its schedule.
   */
  public static void compute(Op op, List<Tensor> in, List<Tensor> out, CellPath at) {
    Kernels.run(op, in, out, at);
  }

  /** Compiles op after op, whatever the options allow: a plan here is never anything but plain. */
  @Override
  public Plan compile(Graph graph, Variables state, PlanOptions options, Collective collective) {
    return new ReferencePlan(graph, state, collective);
  }

  @Override
  public boolean watchesTasks() {
    return true;
  }

  @Override
  public PlanReport measure(Graph graph, PlanOptions options) {
    return ReferenceReport.of(graph);
  }

  /** Does nothing: plans own their memory. */
  @Override
  public void close() {}
}
