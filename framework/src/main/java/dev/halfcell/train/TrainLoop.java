package dev.halfcell.train;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.CheckedExecutor;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.CollectiveExecutor;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs a step on batches, op by op or through one plan for each input signature; either way on the
 * same state. One thread at a time. Closing it frees the plans, not the state.
 */
public final class TrainLoop implements AutoCloseable {
  private final TrainStep step;
  private final TrainState state;
  private final StepState own;
  private final Backend backend;
  private final Execution execution;
  private final Collective collective;
  private final Optional<AccumulatedStep> window;
  private final Optional<OffenderWatch> watch;
  private final PlanCache plans = new PlanCache(this::compile);
  private final Refusals refusals;
  private Optional<Offender> windowOffender = Optional.empty();
  private boolean closed;

  /** A loop over {@code state}; the loss scale's value is added to it unless it has one. */
  public TrainLoop(TrainStep step, TrainState state, Backend backend, Execution execution) {
    this(step, state, backend, execution, Optional.empty(), Collective.single());
  }

  /**
   * The same, where a watch is told what first was not finite in each step that overflowed, and as
   * one rank of several. To find what was not finite the step is run once more, op by op, by this
   * rank alone. All ranks start from the same state, take their steps together, each on batches of
   * its own, and hold the same bits after each; a result's loss is this rank's own.
   */
  public TrainLoop(
      TrainStep step,
      TrainState state,
      Backend backend,
      Execution execution,
      Optional<OffenderWatch> watch,
      Collective collective) {
    requireOneTry(step, collective);
    this.step = step;
    this.collective = collective;
    this.state = state;
    this.backend = backend;
    this.execution = execution;
    this.watch = watch;
    this.window = step.window();
    this.own = new StepState(state, step.rules());
    this.refusals = new Refusals(step.rules(), step.scale(), own);
    declare();
  }

  /** Whether a batch is tried again depends on its loss, which is another on each rank. */
  private static void requireOneTry(TrainStep step, Collective collective) {
    if (collective.size() > 1 && step.rules().overflow().tries() > 1) {
      throw new UsageException(
          new Problem(
              "overflow policy retrySameBatch",
              "rank " + collective.rank(),
              "one rank, for ranks do not agree on whether to try again",
              collective.size() + " ranks",
              "Use the policy skip."));
    }
  }

  /** Adds to the state what the step needs and it has not got. */
  private void declare() {
    if (step.recipe() instanceof Recipe.Standard(var net, var optimizer)) {
      state.declareSlots(net, optimizer);
      own.declareCounters(optimizer);
    }
    own.declareCounters();
    refusals.declare();
    ScaleVariables.declare(own, step.scale());
    window.ifPresent(halves -> halves.declare(own));
    if (step.rules().ema().isPresent()) {
      Trainable.of(step.net()).stream()
          .filter(step.recipe()::trains)
          .forEach(state::declareAverage);
    }
  }

  /**
   * Takes one step; where a step takes several batches, adds this one to the window and takes the
   * step when that is full. Until then the result is the micro-batch's own, and not applied.
   *
   * @throws dev.halfcell.tensor.NonFiniteException where the step is refused and the rules end the
   *     training for it
   * @throws dev.halfcell.tensor.UsageException where another thread is taking one on the same
   *     state, naming both, or where the loop is closed
   */
  public StepResult step(Batch batch) {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      StepResult result = tried(batch);
      return window.isEmpty() || microBatches() < step.accumulation().microBatches()
          ? result
          : windowStep();
    }
  }

  /**
   * Takes one step with this loss scale. It counts for this step alone: the one that the loop keeps
   * does not move, nor do its counters.
   *
   * @throws dev.halfcell.tensor.UsageException where a step takes several batches, or batches are
   *     tried again at a lower scale
   */
  public StepResult step(Batch batch, double scale) {
    var _ = LossScale.fixed(scale);
    requireOpen();
    requireOwnScale(window.isEmpty(), "one batch to a step", "a window, which has one scale");
    requireOwnScale(
        step.rules().overflow().tries() == 1, "a policy that tries a batch once", "another");
    try (ThreadGuard.Pass _ = state.step()) {
      return judged(
          batch, false, () -> run(batch, scale, results -> result(results, (float) scale)));
    }
  }

  private static void requireOwnScale(boolean holds, String expected, String got) {
    if (!holds) {
      throw new UsageException(
          new Problem("loss scale of one step", "", expected, got, "Pass the batch alone."));
    }
  }

  /** Again with the scale that has fallen, as long as the policy allows and that can help. */
  private StepResult tried(Batch batch) {
    StepResult result = taken(batch);
    for (int time = 2; time <= step.rules().overflow().tries() && retry(result); time++) {
      result = taken(batch).tried(time);
    }
    return result;
  }

  private static boolean retry(StepResult result) {
    return result.overflow() && result.lossFinite();
  }

  private StepResult taken(Batch batch) {
    double usedScale = own.read(Variable.scale()).item();
    return judged(
        batch,
        window.isEmpty() && refusals.lastChance(),
        () ->
            run(
                batch.tensors(),
                results ->
                    window.isEmpty()
                        ? result(results, usedScale)
                        : microBatch(results, usedScale)));
  }

  /** Takes a step on a batch; where it is refused, says so to those who asked. */
  private StepResult judged(Batch batch, boolean lastChance, Supplier<StepResult> one) {
    if (watch.isPresent() && watch.get().changed()) {
      plans.close();
    }
    long number = (long) own.read(Variable.seen()).item() + 1;
    StepResult result = one.get();
    if (!result.overflow()) {
      return result;
    }
    double scale = result.usedScale();
    boolean named = watch.isPresent() || (window.isPresent() && refusals.mayEnd());
    Optional<Offender> first = named ? search(batch, scale, number) : Optional.empty();
    StepResult told;
    if (window.isEmpty()) {
      told = told(result, first);
    } else {
      windowOffender = windowOffender.or(() -> first);
      told = result.first(shown(first));
    }
    refusals.judge(result, lastChance, () -> first.or(() -> search(batch, scale, number)));
    return told;
  }

  private StepResult told(StepResult result, Optional<Offender> first) {
    StepResult named = result.first(shown(first));
    if (first.isPresent()) {
      watch.ifPresent(by -> by.found(named));
    }
    return named;
  }

  /** What a result says of it: nothing unless that was asked for. */
  private Optional<Offender> shown(Optional<Offender> first) {
    return first.filter(_ -> watch.isPresent());
  }

  /** The batches that wait in the window for the step to be taken; 0 where each is a step. */
  public int microBatches() {
    return window.isEmpty() ? 0 : (int) own.read(Variable.taken()).item();
  }

  /** Takes the step of a window that is not full, with what it has; none where it has nothing. */
  public Optional<StepResult> endWindow() {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      return microBatches() == 0 ? Optional.empty() : Optional.of(windowStep());
    }
  }

  private StepResult windowStep() {
    double usedScale = own.read(Variable.scale()).item();
    boolean lastChance = refusals.lastChance();
    int taken = microBatches();
    StepResult result = run(List.of(), results -> result(results, usedScale).meanOf(taken));
    Optional<Offender> first = result.overflow() ? windowOffender : Optional.empty();
    windowOffender = Optional.empty();
    StepResult told = told(result, first);
    refusals.judge(result, lastChance, () -> first);
    return told;
  }

  /** The same on a batch with a loss scale of its own. */
  private StepResult run(Batch batch, double scale, Function<List<Tensor>, StepResult> read) {
    try (TensorScope scope = TensorScope.open()) {
      return run(tensors(batch, Tensor.scalar(scope, DType.FP32, scale)), read);
    }
  }

  private static List<Tensor> tensors(Batch batch, Tensor scale) {
    List<Tensor> tensors = new ArrayList<>(batch.tensors());
    tensors.add(scale);
    return tensors;
  }

  /** Runs what takes these tensors, and reads the results while they are there. */
  private StepResult run(List<Tensor> tensors, Function<List<Tensor>, StepResult> read) {
    return switch (execution) {
      case Execution.Planned _ -> read.apply(plans.of(Tensor.specs(tensors)).run(tensors));
      case Execution.Eager(var traps) -> {
        try (TensorScope scope = TensorScope.open()) {
          Executor checked =
              new CheckedExecutor(new CollectiveExecutor(backend.eager(scope), collective));
          Executor executor = traps.isEmpty() ? checked : new TrappingExecutor(traps, checked);
          Outcome<Tensor> outcome = describe(executor, state, tensors, collective);
          Commit.to(state, outcome);
          yield read.apply(outcome.results());
        }
      }
    };
  }

  /** The step on a batch, or, of no tensors, the step that ends a window. */
  private Outcome<Tensor> describe(
      Executor base, Variables variables, List<Tensor> tensors, Collective ranks) {
    StoredParameters stored = new StoredParameters(own.over(variables), base);
    Outcome<Tensor> outcome =
        tensors.isEmpty()
            ? window.orElseThrow().describeStep(base, stored, ranks)
            : describeBatch(base, stored, StepInputs.of(tensors), ranks);
    return own.named(stored.rounded(outcome, state.storage()));
  }

  private Outcome<Tensor> describeBatch(
      Executor base, Variables variables, StepInputs in, Collective ranks) {
    return in.describe(
        variables,
        values ->
            window.isEmpty()
                ? step.describe(base, values, in.inputs(), in.samples(), ranks)
                : window.get().describeMicroBatch(base, values, in.inputs(), in.samples()));
  }

  private StepResult result(List<Tensor> results, double usedScale) {
    boolean finite = results.get(1).item() != 0;
    boolean applied = finite || !step.scale().dropsOverflows();
    double nextScale = own.read(Variable.scale()).item();
    return new StepResult(
        results.get(0).item(), !finite, usedScale, nextScale, applied, results.get(2).item());
  }

  private static StepResult microBatch(List<Tensor> results, double scale) {
    boolean finite = results.get(1).item() != 0;
    double norm = results.get(2).item() / scale;
    return new StepResult(results.get(0).item(), !finite, scale, scale, false, norm);
  }

  private Plan compile(List<TensorSpec> signature) {
    return switch (execution) {
      case Execution.Planned(var options) ->
          backend.compile(trace(signature), state, options, collective);
      case Execution.Eager _ -> throw new IllegalStateException("an eager loop compiles nothing");
    };
  }

  /** The step as a graph, for inputs of this signature: data, label, sample numbers. */
  public Graph trace(List<TensorSpec> signature) {
    TracingExecutor tracing = new TracingExecutor(state);
    List<Tensor> symbols = signature.stream().map(tracing::input).toList();
    return tracing.graph(describe(tracing, tracing, symbols, collective));
  }

  /**
   * What first is not finite in a step on this batch, at this loss scale and on the present values;
   * none where all is. The step runs op by op and changes nothing.
   */
  public Optional<Offender> firstOffender(Batch batch, double scale) {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      return search(batch, scale, (long) own.read(Variable.seen()).item());
    }
  }

  private Optional<Offender> search(Batch batch, double scale, long number) {
    try (TensorScope scope = TensorScope.open()) {
      NonFiniteSearch search = new NonFiniteSearch(number);
      search.inputs(batch.inputs());
      List<Tensor> tensors = tensors(batch, Tensor.scalar(scope, DType.FP32, scale));
      describe(search.over(backend.eager(scope)), search.over(state), tensors, Collective.single());
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
    return plans.of(signature).report();
  }

  /** The run's values. */
  public TrainState state() {
    return state;
  }

  /**
   * The same as this step sees them: its loss scale and counters under their plain names, such as
   * {@link Variable#scale}, whatever {@link StepRules#name} says.
   */
  public Variables own() {
    return own;
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
