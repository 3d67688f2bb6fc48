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
import dev.halfcell.backend.TaskWatch;
import dev.halfcell.data.Batch;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.diagnosis.Offender;
import dev.halfcell.train.diagnosis.TrappingExecutor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs what is described on its state: op by op, or through one plan for each input signature. One
 * thread.
 */
final class StepRunner implements AutoCloseable {
  private final StepDescription described;
  private final Backend backend;
  private final Execution execution;
  private final Collective collective;
  private final PlanCache plans = new PlanCache(this::compile);
  private PlanWatch watch = _ -> Optional.empty();

  StepRunner(
      StepDescription described, Backend backend, Execution execution, Collective collective) {
    this.described = described;
    this.backend = backend;
    this.execution = execution;
    this.collective = collective;
  }

  Backend backend() {
    return backend;
  }

  /** The same as the other on a batch with a loss scale of its own. */
  StepResult run(Batch batch, double scale, Function<List<Tensor>, StepResult> read) {
    try (TensorScope scope = TensorScope.open()) {
      return run(StepDescription.tensors(batch, scope, scale), Optional::empty, read);
    }
  }

  /**
   * Runs what takes these tensors, and reads the results while they are there.
   *
   * @param next the batch that will be run next, if anybody knows
   */
  StepResult run(
      List<Tensor> tensors,
      Supplier<Optional<Batch>> next,
      Function<List<Tensor>, StepResult> read) {
    return switch (execution) {
      case Execution.Planned _ -> {
        Plan plan = plans.of(Tensor.specs(tensors));
        List<Tensor> results = run(plan, tensors);
        plan.prepare(() -> next.get().map(Batch::tensors));
        yield read.apply(results);
      }
      case Execution.Eager eager -> {
        try (TensorScope scope = TensorScope.open()) {
          TrainState state = described.own().all();
          Outcome<Tensor> outcome =
              described.to(executor(scope, eager), state, tensors, collective);
          Commit.to(state, outcome);
          yield read.apply(outcome.results());
        }
      }
    };
  }

  private List<Tensor> run(Plan plan, List<Tensor> tensors) {
    Optional<TaskWatch> told = watch.running(plan);
    return told.isEmpty() ? plan.run(tensors) : plan.run(tensors, told.get());
  }

  /** Has runs of plans watched from now on. */
  void watch(PlanWatch other) {
    watch = other;
  }

  private Executor executor(TensorScope scope, Execution.Eager eager) {
    Executor checked =
        new CheckedExecutor(new CollectiveExecutor(backend.eager(scope), collective));
    return eager.traps().isEmpty() ? checked : new TrappingExecutor(eager.traps(), checked);
  }

  private Plan compile(List<TensorSpec> signature) {
    return switch (execution) {
      case Execution.Planned(var options) ->
          backend.compile(trace(signature), described.own().all(), options, collective);
      case Execution.Eager _ -> throw new IllegalStateException("an eager loop compiles nothing");
    };
  }

  /** What first is not finite on this batch at this loss scale. */
  Optional<Offender> firstOffender(Batch batch, double scale, long number) {
    return described.firstOffender(backend, batch, scale, number);
  }

  Execution execution() {
    return execution;
  }

  /** The step as a graph, for tensors of this signature. */
  Graph trace(List<TensorSpec> signature) {
    return described.trace(signature, collective);
  }

  /** What the plan for tensors of this signature takes. */
  PlanReport report(List<TensorSpec> signature) {
    return plans.of(signature).report();
  }

  /** How many plans are kept. */
  int plans() {
    return plans.size();
  }

  /** Compiles anew what is run from now on: the step is described in another way. */
  void forget() {
    plans.close();
  }

  @Override
  public void close() {
    plans.close();
  }
}
