package dev.halfcell.train;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.CheckedExecutor;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Commit;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.ThreadGuard;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a step on batches, op by op or through one plan for each input signature; either way on the
 * same state. One thread at a time. Closing it frees the plans, not the state.
 */
public final class TrainLoop implements AutoCloseable {
  private final TrainStep step;
  private final TrainState state;
  private final Backend backend;
  private final Execution execution;
  private final Map<List<TensorSpec>, Plan> plans = new LinkedHashMap<>();
  private boolean closed;

  /** A loop over {@code state}; the loss scale's value is added to it unless it has one. */
  public TrainLoop(TrainStep step, TrainState state, Backend backend, Execution execution) {
    this.step = step;
    this.state = state;
    this.backend = backend;
    this.execution = execution;
    LossScale.State start = step.scale().start();
    state.declare(Variable.scale(), TensorSpec.of(DType.FP32), start.scale());
    state.declare(Variable.cleanSteps(), TensorSpec.of(DType.INT64), (double) start.clean());
  }

  /**
   * Takes one step.
   *
   * @throws dev.halfcell.tensor.UsageException where another thread is taking one on the same
   *     state, naming both, or where the loop is closed
   */
  public StepResult step(Batch batch) {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      return taken(batch);
    }
  }

  private StepResult taken(Batch batch) {
    double usedScale = state.read(Variable.scale()).item();
    return switch (execution) {
      case Execution.Eager() -> eager(batch, usedScale);
      case Execution.Planned _ -> result(plan(batch.signature()).run(batch.tensors()), usedScale);
    };
  }

  private StepResult eager(Batch batch, double usedScale) {
    try (TensorScope scope = TensorScope.open()) {
      CheckedExecutor executor = new CheckedExecutor(backend.eager(scope));
      Outcome<Tensor> outcome = step.describe(executor, state, batch.inputs(), batch.samples());
      Commit.to(state, outcome);
      return result(outcome.results(), usedScale);
    }
  }

  private StepResult result(List<Tensor> results, double usedScale) {
    boolean finite = results.get(1).item() != 0;
    double nextScale = state.read(Variable.scale()).item();
    return new StepResult(
        results.get(0).item(), !finite, usedScale, nextScale, finite, results.get(2).item());
  }

  /** The plan for inputs of this signature, compiled now if it has not been used yet. */
  private Plan plan(List<TensorSpec> signature) {
    return plans.computeIfAbsent(signature, this::compile);
  }

  private Plan compile(List<TensorSpec> signature) {
    return switch (execution) {
      case Execution.Planned(var options) ->
          backend.compile(trace(signature), state, options, Collective.single());
      case Execution.Eager() -> throw new IllegalStateException("an eager loop compiles nothing");
    };
  }

  /** The step as a graph, for inputs of this signature: data, label, sample numbers. */
  public Graph trace(List<TensorSpec> signature) {
    TracingExecutor tracing = new TracingExecutor(state);
    List<Tensor> symbols = signature.stream().map(tracing::input).toList();
    return tracing.graph(
        step.describe(tracing, tracing, symbols.subList(0, symbols.size() - 1), symbols.getLast()));
  }

  /**
   * Where the first value that is not finite comes from in a step on this batch, and which it is;
   * none where all are. The step runs op by op and changes nothing.
   */
  public Optional<String> firstNonFinite(Batch batch) {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step();
        TensorScope scope = TensorScope.open()) {
      NonFiniteSearch search = new NonFiniteSearch(backend.eager(scope));
      search.inputs(batch.inputs());
      step.describe(search, state, batch.inputs(), batch.samples());
      return search.first();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new UsageException(
          new Problem("TrainLoop", "", "an open loop", "one that is closed", "Make another one."));
    }
  }

  /** What the plan for inputs of this signature takes. */
  public PlanReport report(List<TensorSpec> signature) {
    return plan(signature).report();
  }

  /** The run's values. */
  public TrainState state() {
    return state;
  }

  /** The step that is run. */
  public TrainStep step() {
    return step;
  }

  /** How many plans were compiled. */
  public int plans() {
    return plans.size();
  }

  @Override
  public void close() {
    closed = true;
    plans.values().forEach(Plan::close);
    plans.clear();
  }
}
