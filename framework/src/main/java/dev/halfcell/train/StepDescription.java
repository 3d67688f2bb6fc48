package dev.halfcell.train;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variables;
import dev.halfcell.data.Batch;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.diagnosis.NonFiniteSearch;
import dev.halfcell.train.diagnosis.Offender;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a loop does on a state, as what any executor can be told: a step on a batch or, where a step
 * takes several, a micro-batch and the step that ends their window.
 *
 * @param window the step in two halves, where it takes several batches
 */
record StepDescription(TrainStep step, StepState own, Optional<AccumulatedStep> window) {
  StepDescription(TrainStep step, TrainState state) {
    this(step, new StepState(state, step.rules()), step.window());
  }

  /** Adds to the state what the step needs and it has not got. */
  void declare() {
    if (step.recipe() instanceof Recipe.Standard(var net, var optimizer)) {
      own.all().declareSlots(net, optimizer);
      own.declareCounters(optimizer);
    }
    own.declareCounters();
    Refusals.declare(own);
    ScaleVariables.declare(own, step.scale());
    window.ifPresent(halves -> halves.declare(own));
    if (step.rules().ema().isPresent()) {
      Trainable.of(step.net()).stream()
          .filter(step.recipe()::trains)
          .forEach(own.all()::declareAverage);
    }
  }

  /** Whether a step takes several batches. */
  boolean windowed() {
    return window.isPresent();
  }

  /** The tensors of a step on this batch with a loss scale of its own. */
  static List<Tensor> tensors(Batch batch, TensorScope scope, double scale) {
    List<Tensor> tensors = new ArrayList<>(batch.tensors());
    tensors.add(Tensor.scalar(scope, DType.FP32, scale));
    return tensors;
  }

  /** Describes the step on a batch or, of no tensors, the step that ends a window. */
  Outcome<Tensor> to(Executor base, Variables variables, List<Tensor> tensors, Collective ranks) {
    StoredParameters stored = new StoredParameters(own.over(variables), base);
    Outcome<Tensor> outcome =
        tensors.isEmpty()
            ? window.orElseThrow().describeStep(base, stored, ranks)
            : batch(base, stored, StepInputs.of(tensors), ranks);
    return own.named(stored.rounded(outcome, own.all().storage()));
  }

  private Outcome<Tensor> batch(
      Executor base, Variables variables, StepInputs in, Collective ranks) {
    return in.describe(
        variables,
        values ->
            window.isEmpty()
                ? step.describe(base, values, in.inputs(), in.samples(), ranks)
                : window.get().describeMicroBatch(base, values, in.inputs(), in.samples()));
  }

  /** The same as a graph, for tensors of this signature. */
  Graph trace(List<TensorSpec> signature, Collective ranks) {
    TracingExecutor tracing = new TracingExecutor(own.all());
    List<Tensor> symbols = signature.stream().map(tracing::input).toList();
    return tracing.graph(to(tracing, tracing, symbols, ranks));
  }

  /**
   * What first is not finite on this batch at this loss scale, run op by op by this rank alone; the
   * state does not move.
   *
   * @param number the step's, for the report
   */
  Optional<Offender> firstOffender(Backend backend, Batch batch, double scale, long number) {
    try (TensorScope scope = TensorScope.open()) {
      NonFiniteSearch search = new NonFiniteSearch(number);
      search.inputs(batch.inputs());
      to(
          search.over(backend.eager(scope)),
          search.over(own.all()),
          tensors(batch, scope, scale),
          Collective.single());
      return search.first();
    }
  }
}
