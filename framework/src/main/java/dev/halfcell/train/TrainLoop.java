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
import dev.halfcell.backend.Variables;
import dev.halfcell.data.Batch;
import dev.halfcell.op.Executor;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.diagnosis.NonFiniteSearch;
import dev.halfcell.train.diagnosis.Offender;
import dev.halfcell.train.diagnosis.TrappingExecutor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs a step on batches, op by op or through one plan for each input signature; either way on the
 * same state. One thread at a time. Closing it frees the plans, not the state.
 */
public final class TrainLoop implements AutoCloseable {
  private final TrainStep step;
  private final TrainState state;
  private final Backend backend;
  private final Execution execution;
  private final Optional<AccumulatedStep> window;
  private final Optional<OffenderWatch> watch;
  private final PlanCache plans = new PlanCache(this::compile);
  private Optional<Offender> windowOffender = Optional.empty();
  private boolean closed;

  /** A loop over {@code state}; the loss scale's value is added to it unless it has one. */
  public TrainLoop(TrainStep step, TrainState state, Backend backend, Execution execution) {
    this(step, state, backend, execution, Optional.empty());
  }

  /**
   * The same, where a watch is told what first was not finite in each step that overflowed. To find
   * it the step is run once more, op by op.
   */
  public TrainLoop(
      TrainStep step,
      TrainState state,
      Backend backend,
      Execution execution,
      Optional<OffenderWatch> watch) {
    this.step = step;
    this.state = state;
    this.backend = backend;
    this.execution = execution;
    this.watch = watch;
    this.window = step.window();
    window.ifPresent(halves -> halves.declare(state));
    LossScale.State start = step.scale().start();
    state.declare(Variable.scale(), TensorSpec.of(DType.FP32), start.scale());
    state.declare(Variable.cleanSteps(), TensorSpec.of(DType.INT64), (double) start.clean());
  }

  /**
   * Takes one step; where a step takes several batches, adds this one to the window and takes the
   * step when that is full. Until then the result is the micro-batch's own, and not applied.
   *
   * @throws dev.halfcell.tensor.UsageException where another thread is taking one on the same
   *     state, naming both, or where the loop is closed
   */
  public StepResult step(Batch batch) {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      if (watch.isPresent() && watch.get().changed()) {
        plans.close();
      }
      StepResult result = taken(batch);
      if (window.isEmpty()) {
        return told(result);
      }
      return microBatches() < step.accumulation().microBatches() ? result : windowStep();
    }
  }

  private StepResult taken(Batch batch) {
    double usedScale = state.read(Variable.scale()).item();
    long number = (long) state.read(Variable.seen()).item() + 1;
    StepResult result =
        run(
            batch.tensors(),
            results ->
                window.isEmpty() ? result(results, usedScale) : microBatch(results, usedScale));
    if (watch.isEmpty() || !result.overflow()) {
      return result;
    }
    Optional<Offender> offender = search(batch, usedScale, number);
    windowOffender = windowOffender.or(() -> offender);
    return result.first(offender);
  }

  private StepResult told(StepResult result) {
    if (result.firstOffender().isPresent()) {
      watch.ifPresent(by -> by.found(result));
    }
    return result;
  }

  /** The batches that wait in the window for the step to be taken; 0 where each is a step. */
  public int microBatches() {
    return window.isEmpty() ? 0 : (int) state.read(Variable.taken()).item();
  }

  /** Takes the step of a window that is not full, with what it has; none where it has nothing. */
  public Optional<StepResult> endWindow() {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      return microBatches() == 0 ? Optional.empty() : Optional.of(windowStep());
    }
  }

  private StepResult windowStep() {
    double usedScale = state.read(Variable.scale()).item();
    int taken = microBatches();
    StepResult result = run(List.of(), results -> result(results, usedScale).meanOf(taken));
    Optional<Offender> first = result.overflow() ? windowOffender : Optional.empty();
    windowOffender = Optional.empty();
    return told(result.first(first));
  }

  /** Runs what takes these tensors, and reads the results while they are there. */
  private StepResult run(List<Tensor> tensors, Function<List<Tensor>, StepResult> read) {
    return switch (execution) {
      case Execution.Planned _ -> read.apply(plans.of(Tensor.specs(tensors)).run(tensors));
      case Execution.Eager(var traps) -> {
        try (TensorScope scope = TensorScope.open()) {
          Executor checked = new CheckedExecutor(backend.eager(scope));
          Executor executor = traps.isEmpty() ? checked : new TrappingExecutor(traps, checked);
          Outcome<Tensor> outcome = describe(executor, state, tensors);
          Commit.to(state, outcome);
          yield read.apply(outcome.results());
        }
      }
    };
  }

  /** The step on a batch, or, of no tensors, the step that ends a window. */
  private Outcome<Tensor> describe(Executor base, Variables variables, List<Tensor> tensors) {
    if (tensors.isEmpty()) {
      return window.orElseThrow().describeStep(base, variables);
    }
    List<Tensor> inputs = tensors.subList(0, tensors.size() - 1);
    return window.isEmpty()
        ? step.describe(base, variables, inputs, tensors.getLast())
        : window.get().describeMicroBatch(base, variables, inputs, tensors.getLast());
  }

  private StepResult result(List<Tensor> results, double usedScale) {
    boolean finite = results.get(1).item() != 0;
    double nextScale = state.read(Variable.scale()).item();
    return new StepResult(
        results.get(0).item(), !finite, usedScale, nextScale, finite, results.get(2).item());
  }

  private static StepResult microBatch(List<Tensor> results, double scale) {
    boolean finite = results.get(1).item() != 0;
    double norm = results.get(2).item() / scale;
    return new StepResult(results.get(0).item(), !finite, scale, scale, false, norm);
  }

  private Plan compile(List<TensorSpec> signature) {
    return switch (execution) {
      case Execution.Planned(var options) ->
          backend.compile(trace(signature), state, options, Collective.single());
      case Execution.Eager _ -> throw new IllegalStateException("an eager loop compiles nothing");
    };
  }

  /** The step as a graph, for inputs of this signature: data, label, sample numbers. */
  public Graph trace(List<TensorSpec> signature) {
    TracingExecutor tracing = new TracingExecutor(state);
    List<Tensor> symbols = signature.stream().map(tracing::input).toList();
    return tracing.graph(describe(tracing, tracing, symbols));
  }

  /**
   * What first is not finite in a step on this batch, at this loss scale and on the present values;
   * none where all is. The step runs op by op and changes nothing.
   */
  public Optional<Offender> firstOffender(Batch batch, double scale) {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      return search(batch, scale, (long) state.read(Variable.seen()).item());
    }
  }

  private Optional<Offender> search(Batch batch, double scale, long number) {
    try (TensorScope scope = TensorScope.open()) {
      NonFiniteSearch search = new NonFiniteSearch(number);
      search.inputs(batch.inputs());
      Variables values = new AtScale(state, Tensor.scalar(scope, DType.FP32, scale));
      describe(search.over(backend.eager(scope)), search.over(values), batch.tensors());
      return search.first();
    }
  }

  /** A state as it was when the loss scale was another. */
  private record AtScale(Variables state, Tensor scale) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return variable.equals(Variable.scale()) ? scale : state.read(variable);
    }

    @Override
    public long seed() {
      return state.seed();
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
    return plans.of(signature).report();
  }

  /** The run's values. */
  public TrainState state() {
    return state;
  }

  /** How steps are run. */
  public Execution execution() {
    return execution;
  }

  /** The step that is run. */
  public TrainStep step() {
    return step;
  }

  /** How many compiled plans are kept: one for each signature, at most 32. */
  public int plans() {
    return plans.size();
  }

  @Override
  public void close() {
    closed = true;
    plans.close();
  }
}
