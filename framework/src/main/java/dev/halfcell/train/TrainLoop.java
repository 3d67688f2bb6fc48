package dev.halfcell.train;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.ThreadGuard;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.diagnosis.Offender;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs a step on batches, op by op or through one plan for each input signature; either way on the
 * same state. One thread at a time. Closing it frees the plans, not the state.
 */
public final class TrainLoop implements AutoCloseable {
  private final TrainStep step;
  private final TrainState state;
  private final StepState own;
  private final StepDescription described;
  private final StepRunner runner;
  private final Overflows overflows;
  private final UsedScale used;
  private final LoopWindow window;
  private boolean closed;

  /**
   * A loop over {@code state}; the loss scale's value is added to it unless it has one. A scale
   * that moves goes on from there; one that never moves counts in any case.
   */
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
    this.state = state;
    this.described = new StepDescription(step, state);
    this.own = described.own();
    this.runner = new StepRunner(described, backend, execution, collective);
    this.overflows = new Overflows(watch, new Refusals(step.rules(), step.scale(), own));
    this.used = new UsedScale(own, step.scale(), described.windowed());
    this.window = new LoopWindow(described);
    described.declare();
    window.enter();
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

  /**
   * Takes one step; where a step takes several batches, adds this one to the window and takes the
   * step when that is full. Until then the result is the micro-batch's own, and not applied.
   *
   * @throws dev.halfcell.tensor.NonFiniteException where the step is refused and the rules end the
   *     training for it
   * @throws dev.halfcell.tensor.UsageException where another thread is taking one on the same
   *     state, naming both; where the loop is closed; where the window of another loop on the same
   *     state is open and shares the loss scale or running statistics with this one
   */
  public StepResult step(Batch batch) {
    return step(batch, Optional::empty);
  }

  /**
   * The same, where a backend that computes by itself has the next batch read and brought to it
   * meanwhile.
   *
   * @param next the batch of the next call, which may not change until then; asked for, on this
   *     thread, once at the most and only where that saves time; none where nobody knows it. Where
   *     the next call has another batch after all, nothing but time is lost
   */
  public StepResult step(Batch batch, Supplier<Optional<Batch>> next) {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      window.requireApart(true);
      if (!described.windowed()) {
        return tried(batch, next);
      }
      StepResult result = microBatch(batch, next);
      return microBatches() < step.accumulation().microBatches() ? result : windowStep();
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
    requireOwnScale(!described.windowed(), "one batch to a step", "a window, which has one scale");
    requireOwnScale(
        step.rules().overflow().tries() == 1, "a policy that tries a batch once", "another");
    try (ThreadGuard.Pass _ = state.step()) {
      window.requireApart(false);
      forgetWhereChanged();
      Supplier<Optional<Offender>> search = search(batch, scale);
      StepResult result = runner.run(batch, scale, results -> result(results, (float) scale));
      return overflows.ofStep(result, false, search);
    }
  }

  private static void requireOwnScale(boolean holds, String expected, String got) {
    if (!holds) {
      throw new UsageException(
          new Problem("loss scale of one step", "", expected, got, "Pass the batch alone."));
    }
  }

  /** Again with the scale that has fallen, as long as the policy allows and that can help. */
  private StepResult tried(Batch batch, Supplier<Optional<Batch>> next) {
    StepResult result = taken(batch, next);
    Optional<Offender> first = result.firstOffender();
    for (int time = 2; time <= step.rules().overflow().tries() && retry(result); time++) {
      result = taken(batch, Optional::empty).tried(time);
      first = first.or(result::firstOffender);
    }
    return result.first(first);
  }

  private static boolean retry(StepResult result) {
    return result.overflow() && result.lossFinite();
  }

  private StepResult taken(Batch batch, Supplier<Optional<Batch>> next) {
    forgetWhereChanged();
    double scale = lossScale();
    boolean lastChance = overflows.lastChance();
    Supplier<Optional<Offender>> search = search(batch, scale);
    StepResult result =
        used.during(() -> runner.run(batch.tensors(), next, results -> result(results, scale)));
    return overflows.ofStep(result, lastChance, search);
  }

  private StepResult microBatch(Batch batch, Supplier<Optional<Batch>> next) {
    forgetWhereChanged();
    double scale = lossScale();
    Supplier<Optional<Offender>> search = search(batch, scale);
    used.begin();
    StepResult result =
        runner.run(batch.tensors(), next, results -> StepResult.ofMicroBatch(results, scale));
    window.added();
    return overflows.ofMicroBatch(result, search);
  }

  /** The batches that wait in the window for the step to be taken; 0 where each is a step. */
  public int microBatches() {
    return described.windowed() ? (int) own.read(Variable.taken()).item() : 0;
  }

  /**
   * Whether the last step was refused, and the training may end where the next one is too: the
   * state is what there will be to go on from.
   */
  public boolean nearEnd() {
    return overflows.nearEnd();
  }

  /** The result that the rules ended the training for, as it would have been returned. */
  Optional<StepResult> fatal() {
    return overflows.fatal();
  }

  /** Takes the step of a window that is not full, with what it has; none where it has nothing. */
  public Optional<StepResult> endWindow() {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      return microBatches() == 0 ? Optional.empty() : Optional.of(windowStep());
    }
  }

  private StepResult windowStep() {
    double scale = lossScale();
    boolean lastChance = overflows.lastChance();
    int taken = microBatches();
    StepResult result =
        used.during(
            () ->
                runner.run(
                    List.of(), Optional::empty, results -> result(results, scale).meanOf(taken)));
    return overflows.ofWindow(result, lastChance);
  }

  private void forgetWhereChanged() {
    if (overflows.stepChanged()) {
      runner.forget();
    }
  }

  private StepResult result(List<Tensor> results, double usedScale) {
    return StepResult.ofStep(results, usedScale, lossScale(), step.scale().dropsOverflows());
  }

  /**
   * The loss scale of the step to come: of one that never moves its number, whatever the state
   * holds, else what that holds. A window that is open keeps the one with which it began.
   */
  public double lossScale() {
    return used.now();
  }

  /** What will look for the first offender of the step to come. */
  private Supplier<Optional<Offender>> search(Batch batch, double scale) {
    long number = stepsSeen() + 1;
    return () -> runner.firstOffender(batch, scale, number);
  }

  private long stepsSeen() {
    return (long) own.read(Variable.seen()).item();
  }

  /** The step as a graph, for inputs of this signature: data, label, sample numbers. */
  public Graph trace(List<TensorSpec> signature) {
    return runner.trace(signature);
  }

  /**
   * What first is not finite in a step on this batch, at this loss scale and on the present values;
   * none where all is. The step runs op by op and changes nothing.
   */
  public Optional<Offender> firstOffender(Batch batch, double scale) {
    requireOpen();
    try (ThreadGuard.Pass _ = state.step()) {
      return runner.firstOffender(batch, scale, stepsSeen());
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
    return runner.report(signature);
  }

  /**
   * Has runs of plans watched from now on.
   *
   * @throws ArgumentException where steps run op by op, or the backend does not tell of tasks
   */
  public void watch(PlanWatch watch) {
    boolean planned = execution() instanceof Execution.Planned;
    if (!planned || !runner.backend().watchesTasks()) {
      throw new ArgumentException(
          new Problem(
              "profile",
              runner.backend().name(),
              "compiled steps, of whose tasks the backend tells",
              planned ? "a backend that tells of none" : "steps that run op by op",
              planned
                  ? "Take the device cpu or reference."
                  : "Leave out what has them run op by op, such as watched exceptions."));
    }
    runner.watch(watch);
  }

  /**
   * The network without its loss, on the values and by the casting rules as they are at each call;
   * close it before the backend.
   */
  public Inference inference() {
    return inference(state);
  }

  /**
   * The same on the moving averages of the parameters; running statistics are those of the run.
   *
   * @throws UsageException where none are kept; see {@link StepRules#ema}
   */
  public Inference averagedInference() {
    return inference(state.averaged());
  }

  private Inference inference(Variables values) {
    requireOpen();
    Cell net = step.net() instanceof WithLossCell with ? with.backbone() : step.net();
    return new Inference(net, step.precision(), values, runner.backend());
  }

  /** The run's values. */
  public TrainState state() {
    return state;
  }

  /**
   * The same as this step sees them: its loss scale and counters under their plain names, such as
   * {@link Variable#scale}, whatever {@link StepRules#name} says. Of a loss scale that never moves
   * {@link #lossScale} is what counts.
   */
  public Variables own() {
    return own;
  }

  /** How steps are run. */
  public Execution execution() {
    return runner.execution();
  }

  /** What its backend has to do in another way than it was to, until now. */
  List<String> notices() {
    return runner.backend().notices();
  }

  /** The step that is run. */
  public TrainStep step() {
    return step;
  }

  /** How many compiled plans are kept: one for each signature, at most 32. */
  public int plans() {
    return runner.plans();
  }

  @Override
  public void close() {
    closed = true;
    window.leave();
    runner.close();
  }
}
