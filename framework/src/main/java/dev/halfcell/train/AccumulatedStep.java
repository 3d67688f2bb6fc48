package dev.halfcell.train;

import dev.halfcell.autodiff.Gradient;
import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Ops;
import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.update.Accumulate;
import dev.halfcell.op.update.CountFinite;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.Restart;
import dev.halfcell.op.update.WindowClean;
import dev.halfcell.op.update.WindowScale;
import dev.halfcell.op.update.WindowStatistic;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The standard step in two halves that share a state: one adds a micro-batch to the window, the
 * other takes the step with the mean of its gradients and empties it. The loss scale moves in the
 * second half only, so that it is one for the whole window. Running statistics move on the side and
 * become the network's when the step is applied.
 */
record AccumulatedStep(
    Cell net,
    Optimizer optimizer,
    PrecisionRules precision,
    LossScale rule,
    Accumulation accumulation,
    StepRules rules) {
  /** Adds the window to a state that has none yet. */
  void declare(StepState state) {
    parameters().forEach((v, spec) -> state.declare(v.windowSum(), spec, 0));
    statistics().forEach((v, spec) -> state.declare(v.pending(), spec, 0));
    state.declare(Variable.windowLoss(), TensorSpec.of(DType.FP32), 0);
    state.declare(Variable.taken(), TensorSpec.of(DType.INT64), 0);
    state.declare(Variable.kept(), TensorSpec.of(DType.INT64), 0);
  }

  /** What the optimizer moves. */
  Map<Variable, TensorSpec> parameters() {
    Map<Variable, TensorSpec> moved = Trainable.specs(net, Parameter::trainable);
    moved.keySet().removeIf(parameter -> optimizer.of(parameter).isEmpty());
    return moved;
  }

  private Map<Variable, TensorSpec> statistics() {
    return Trainable.specs(net, parameter -> !parameter.trainable());
  }

  /** Adds a micro-batch: results are its loss, finite, and the norm of its scaled gradients. */
  Outcome<Tensor> describeMicroBatch(
      Executor base, Variables state, List<Tensor> inputs, Tensor samples) {
    Ops below = new Ops(base.in(Direction.UPDATE), CellPath.STEP);
    Tape tape = new Tape(base);
    Pending pending = new Pending(state, below, tape, parameters().keySet(), new LinkedHashMap<>());
    Executor ruled = precision.over(tape, new CastDraws(state, samples));
    Recording recording = new Recording(ruled, pending, net, samples, true);
    Tensor loss = recording.call(net, inputs.toArray(Tensor[]::new));
    StepBuilder.requireScalar(loss);
    StepBuilder.requireRead(parameters().keySet(), pending.watched().keySet());
    Map<Variable, Tensor> scaled = new LinkedHashMap<>();
    StepBuilder.byParameter(
            tape.backward(Map.of(loss, state.read(Variable.scale()))), pending.watched())
        .forEach((parameter, gradient) -> scaled.put(parameter, whole(parameter, gradient, below)));
    Tensor judged = rules.nanLossIsOverflow() ? loss : state.read(Variable.scale());
    List<Tensor> checked = new ArrayList<>(List.of(judged));
    checked.addAll(scaled.values());
    List<Tensor> check = below.runAll(new GradientCheck(), checked.toArray(Tensor[]::new));
    Tensor kept = state.read(Variable.kept());
    Map<Variable, Tensor> assigns = new LinkedHashMap<>();
    scaled.forEach(
        (parameter, gradient) -> {
          Variable sum = parameter.windowSum();
          assigns.put(sum, below.run(new Accumulate(), state.read(sum), gradient, kept));
        });
    statistics()
        .keySet()
        .forEach(
            statistic ->
                assigns.put(
                    statistic.pending(),
                    recording.updates().getOrDefault(statistic, pending.read(statistic))));
    Tensor taken = state.read(Variable.taken());
    Tensor losses = state.read(Variable.windowLoss());
    assigns.put(Variable.windowLoss(), below.run(new Accumulate(), losses, loss, taken));
    assigns.put(Variable.taken(), below.run(new Increment(), taken));
    Tensor finite = check.getFirst();
    assigns.put(
        Variable.kept(),
        rule.dropsOverflows()
            ? below.run(new CountFinite(), kept, finite)
            : below.run(new Increment(), kept));
    return new Outcome<>(
        List.of(loss, finite, check.getLast()), StepEnd.guard(rule, finite), assigns);
  }

  private Tensor whole(Variable parameter, Gradient gradient, Ops below) {
    if (gradient instanceof Gradient.Rows) {
      String window = "a window of " + accumulation.microBatches() + " micro-batches";
      OptimizerStep.requireNoRows(optimizer, parameter, window);
    }
    return gradient.dense(below);
  }

  /** Takes the step: results are the sum of the losses, finite, and the norm of the gradients. */
  Outcome<Tensor> describeStep(Executor base, Variables state, Collective collective) {
    Ops below = new Ops(base.in(Direction.UPDATE), CellPath.STEP);
    Ranks ranks = new Ranks(collective, below);
    Tensor taken = ranks.sum(state.read(Variable.taken()));
    Tensor kept = ranks.sum(state.read(Variable.kept()));
    // No cell is called here, so that nobody asks for the numbers of samples.
    Recording recording = new Recording(base, state, net, taken, true);
    boolean whole = accumulation.onOverflow() == Accumulation.OnOverflow.DROP_WINDOW;
    Tensor scale = recording.read(Variable.scale());
    Tensor divisor = below.run(new WindowScale(whole), scale, taken, kept);
    Map<Variable, Gradient> gradients = new LinkedHashMap<>();
    parameters()
        .keySet()
        .forEach(
            parameter -> {
              Tensor sum = ranks.sum(windowSum(parameter, state, ranks));
              gradients.put(parameter, new Gradient.Dense(below.run(new Unscale(), sum, divisor)));
            });
    OptimizerStep optimizers = new OptimizerStep(recording, below);
    optimizers.apply(optimizer, gradients, divisor);
    rules.ema().ifPresent(optimizers::average);
    List<Tensor> check = optimizers.check(divisor);
    Tensor finite = check.getFirst();
    statistics()
        .keySet()
        .forEach(statistic -> recording.update(statistic, pending(statistic, state, ranks)));
    ranks.averageStatistics(recording);
    Tensor clean = below.run(new WindowClean(), finite, taken, kept);
    Tensor losses = state.read(Variable.windowLoss());
    new StepEnd(recording, below, rule)
        .after(ranks.mean(losses), finite, clean, optimizers.gradients());
    for (Variable counter : List.of(Variable.taken(), Variable.kept())) {
      recording.update(counter, below.run(new Restart(), recording.read(counter)));
    }
    List<Tensor> results = List.of(losses, finite, check.getLast());
    return new Outcome<>(results, StepEnd.guard(rule, finite), recording.updates());
  }

  /** A rank of several that has kept no micro-batch has in its sum what an earlier window left. */
  private static Tensor windowSum(Variable parameter, Variables state, Ranks ranks) {
    Tensor sum = state.read(parameter.windowSum());
    return ranks.several()
        ? ranks
            .below()
            .run(
                new WindowStatistic(),
                sum,
                ranks.below().run(new ZerosLike(), sum),
                state.read(Variable.kept()))
        : sum;
  }

  /** A rank of several that has kept no micro-batch has nothing pending, and others may have. */
  private static Tensor pending(Variable statistic, Variables state, Ranks ranks) {
    return ranks.several()
        ? ranks
            .below()
            .run(
                new WindowStatistic(),
                state.read(statistic.pending()),
                state.read(statistic),
                state.read(Variable.kept()))
        : state.read(statistic.pending());
  }

  /** Reads statistics as the window has left them, and has the tape watch what is moved. */
  private record Pending(
      Variables state, Ops below, Tape tape, Set<Variable> moved, Map<Variable, Tensor> values)
      implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return values.computeIfAbsent(variable, this::first);
    }

    private Tensor first(Variable variable) {
      return switch (variable.kind()) {
        case STATISTIC ->
            below.run(
                new WindowStatistic(),
                state.read(variable.pending()),
                state.read(variable),
                state.read(Variable.kept()));
        case PARAMETER ->
            moved.contains(variable) ? tape.watch(state.read(variable)) : state.read(variable);
        case SLOT,
            AVERAGE,
            APPLIED,
            SEEN,
            REFUSED,
            SCALE,
            PLATEAU,
            WATCHED,
            WINDOW,
            WINDOW_COUNT,
            DEMOTION ->
            state.read(variable);
      };
    }

    /** The parameters that were read and are to be differentiated by. */
    Map<Variable, Tensor> watched() {
      Map<Variable, Tensor> watched = new LinkedHashMap<>(values);
      watched.keySet().retainAll(moved);
      return watched;
    }

    @Override
    public long seed() {
      return state.seed();
    }
  }
}
