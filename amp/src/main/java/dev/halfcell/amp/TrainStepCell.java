package dev.halfcell.amp;

import dev.halfcell.amp.diagnosis.Demotions;
import dev.halfcell.amp.diagnosis.Diagnosis;
import dev.halfcell.amp.diagnosis.UnderflowReport;
import dev.halfcell.amp.diagnosis.UnderflowSearch;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.ThreadGuard;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Inference;
import dev.halfcell.train.OffenderWatch;
import dev.halfcell.train.ParameterStorage;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A network that trains: each {@link #run} computes a loss and its gradients and updates the
 * parameters. Several of one network do not meet. One thread at a time. Close it to free what it
 * made itself: plans, the state unless one was passed, the backend unless one was passed.
 */
public abstract sealed class TrainStepCell implements AutoCloseable
    permits TrainOneStepCell, TrainOneStepWithLossScaleCell {
  private final Cell net;
  private final PrecisionPlan plan;
  private final AmpOptions options;
  private final Backend backend;
  private final Optional<Demotions> demotions;
  private final TrainLoop loop;
  private final TensorScope scope;
  private final ThreadGuard guard =
      new ThreadGuard("TrainStepCell", "Train one model on one thread.");
  private final Map<Integer, Tensor> sampleNumbers = new HashMap<>();
  private final Tensor samplesSeen;

  TrainStepCell(
      Cell net, Optimizer optimizer, PrecisionPlan plan, LossScale scale, AmpOptions options) {
    this.net = net;
    this.plan = plan;
    this.options = options;
    requireUnmodified(scale, diagnosis());
    this.backend = options.run().backend().orElseGet(() -> Backends.open("auto"));
    try {
      plan.requireOffered(backend);
      TrainState state = state(optimizer);
      try {
        this.demotions =
            diagnosis()
                .demotion()
                .map(
                    rule -> new Demotions(plan, rule, scale, state, options.step().rules().name()));
        this.loop = loop(scale, optimizer, state);
      } catch (RuntimeException | Error e) {
        if (options.run().state().isEmpty()) {
          state.close();
        }
        throw e;
      }
    } catch (RuntimeException | Error e) {
      closeOwnBackend();
      throw e;
    }
    this.samplesSeen = loop.own().read(Variable.samples());
    this.scope = TensorScope.open();
  }

  private TrainState state(Optimizer optimizer) {
    Optional<ParameterStorage> asked =
        options.precision().numerics().storage(options.precision().half());
    asked.ifPresent(storage -> new HalfState(storage.dtype()).require(net, optimizer));
    ParameterStorage storage = asked.orElse(ParameterStorage.full());
    TrainState state =
        options.run().state().orElseGet(() -> TrainState.of(net, options.run().seed(), storage));
    asked.ifPresent(_ -> requireStored(state, storage));
    return state;
  }

  private TrainLoop loop(LossScale scale, Optimizer optimizer, TrainState state) {
    TrainStep step =
        new TrainStep(
            net,
            PrecisionRules.changing(this::plan),
            scale,
            Recipe.standard(net, optimizer),
            options.step().accumulation(),
            options.step().rules());
    Optional<OffenderWatch> naming =
        diagnosis().firstOffender() ? Optional.of(OffenderWatch.naming()) : Optional.empty();
    return new TrainLoop(
        step,
        state,
        backend,
        diagnosis().execution(options.run().execution()),
        demotions.<OffenderWatch>map(watch -> watch).or(() -> naming),
        options.run().collective());
  }

  /** A step that was applied as it is leaves no state to search on. */
  static void requireUnmodified(LossScale scale, Diagnosis diagnosis) {
    ArgumentException.require(
        scale.dropsOverflows() || !diagnosis.firstOffender(),
        "diagnosis",
        "a loss scale that refuses steps that overflow",
        scale);
  }

  private Diagnosis diagnosis() {
    return options.run().diagnosis();
  }

  /** A state that was passed has decided already. */
  static void requireStored(TrainState state, ParameterStorage asked) {
    if (!state.storage().equals(asked)) {
      throw new ArgumentException(
          new Problem(
              "halfParameters",
              "state",
              "a state with " + asked,
              state.storage().toString(),
              "Make it by TrainState.of(net, seed, storage), or let the train cell."));
    }
  }

  private void closeOwnBackend() {
    if (options.run().backend().isEmpty()) {
      backend.close();
    }
  }

  /**
   * Takes one step on data and label, in FP32 and the label's dtype; samples are numbered in the
   * order in which they are passed.
   */
  public StepResult run(Tensor... inputs) {
    return run(this::run, inputs);
  }

  /**
   * Takes one step on data and label with this loss scale, which counts for this step alone: the
   * one that the cell keeps does not move.
   */
  public StepResult run(Tensor data, Tensor label, double scalingSens) {
    return run(batch -> run(batch, scalingSens), data, label);
  }

  private StepResult run(Function<Batch, StepResult> step, Tensor... inputs) {
    for (int i = 0; i < inputs.length; i++) {
      ArgumentException.requirePresent(inputs[i], "run", "input " + i);
    }
    Batch.requireRows(Tensor.specs(List.of(inputs)));
    try (ThreadGuard.Pass _ = guard.enter()) {
      int rows = inputs[0].spec().dim(0);
      StepResult result = step.apply(new Batch(List.of(inputs), numbered(rows)));
      long seen = (long) samplesSeen.item() + (long) options.run().collective().size() * rows;
      samplesSeen.write().set(ValueLayout.JAVA_LONG, 0, seen);
      return result;
    }
  }

  /** The numbers of the next so many samples; the ranks take turns. */
  private Tensor numbered(int rows) {
    Tensor samples =
        sampleNumbers.computeIfAbsent(rows, n -> scope.allocate(TensorSpec.of(DType.INT64, n)));
    Collective ranks = options.run().collective();
    long first = (long) samplesSeen.item() + (long) ranks.rank() * rows;
    for (int row = 0; row < rows; row++) {
      samples.data().setAtIndex(ValueLayout.JAVA_LONG, row, first + row);
    }
    return samples;
  }

  /** Takes one step. */
  public StepResult run(Batch batch) {
    return loop.step(batch);
  }

  /**
   * The same, where a GPU has the next batch read and brought to it meanwhile: see {@link
   * TrainLoop#step(Batch, Supplier)}.
   */
  public StepResult run(Batch batch, Supplier<Optional<Batch>> next) {
    return loop.step(batch, next);
  }

  /** Takes one step with this loss scale, which counts for this step alone. */
  public StepResult run(Batch batch, double scalingSens) {
    return loop.step(batch, scalingSens);
  }

  /**
   * The network without its loss, on the values and by the plan as they are at each call; close it
   * before this cell.
   */
  public Inference inference() {
    return loop.inference();
  }

  /**
   * The same on the moving averages of the parameters; running statistics are those of the run.
   *
   * @throws dev.halfcell.tensor.UsageException where none are kept; see {@link AmpOptions#ema}
   */
  public Inference averagedInference() {
    return loop.averagedInference();
  }

  /** Which cell computes how, and why; cells that were demoted are so here. */
  public PrecisionPlan plan() {
    return demotions.map(Demotions::plan).orElse(plan);
  }

  /** What half loses of the gradients of this batch, at the loss scale of the step to come. */
  public UnderflowReport underflow(Batch batch) {
    return new UnderflowSearch(net, plan(), backend).report(state(), batch, loop.lossScale());
  }

  /** The values that are trained. */
  public TrainState state() {
    return loop.state();
  }

  /** The loop that takes the steps. */
  public TrainLoop loop() {
    return loop;
  }

  /** What computes. */
  public Backend backend() {
    return backend;
  }

  @Override
  public void close() {
    loop.close();
    scope.close();
    if (options.run().state().isEmpty()) {
      loop.state().close();
    }
    closeOwnBackend();
  }
}
