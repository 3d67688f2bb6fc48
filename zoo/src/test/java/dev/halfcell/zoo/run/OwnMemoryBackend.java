package dev.halfcell.zoo.run;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Capabilities;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.TensorScope;
import java.util.OptionalLong;

/**
 * A backend that says that it has memory for itself, as a GPU has.
 *
 * @param machine what computes
 */
record OwnMemoryBackend(Backend machine, long bytes) implements Backend {
  static final String NAME = "elsewhere";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Capabilities capabilities() {
    return machine.capabilities();
  }

  @Override
  public OptionalLong ownMemory() {
    return OptionalLong.of(bytes);
  }

  @Override
  public Executor eager(TensorScope scope) {
    return machine.eager(scope);
  }

  @Override
  public Plan compile(Graph graph, Variables state, PlanOptions options, Collective collective) {
    return machine.compile(graph, state, options, collective);
  }

  @Override
  public PlanReport measure(Graph graph, PlanOptions options) {
    return machine.measure(graph, options);
  }

  @Override
  public void close() {}
}
