package dev.halfcell.train;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A training step as a value. It can be described to any executor, any number of times.
 *
 * @param net the network, which the recipe calls
 * @param precision puts the casting rules before an executor; {@link PrecisionRules#none} means
 *     FP32 throughout
 * @param scale the rule of the loss scale
 * @param recipe what a step does
 * @param accumulation how many batches a step takes; more than one with the standard recipe only
 * @param rules when it counts as refused, and what follows
 */
public record TrainStep(
    Cell net,
    PrecisionRules precision,
    LossScale scale,
    Recipe recipe,
    Accumulation accumulation,
    StepRules rules) {
  public TrainStep {
    if (accumulation.windowed() && !(recipe instanceof Recipe.Standard)) {
      throw new UsageException(
          new Problem(
              "accumulation",
              CellPath.STEP.text(),
              "the standard recipe, or one batch to a step",
              "an own recipe and " + accumulation.microBatches() + " micro-batches",
              "Use Recipe.standard(net, optimizer)."));
    }
    if (rules.overflow() instanceof OverflowPolicy.RetrySameBatch) {
      requireRetry(scale, accumulation);
    }
    if (scale instanceof DynamicScale dynamic) {
      requireTolerance(dynamic.habits().hysteresis(), rules.maxHopelessSteps());
    }
  }

  /** The scale does not fall at an overflow that hysteresis tolerates, and so it is hopeless. */
  private static void requireTolerance(int hysteresis, int most) {
    ArgumentException.require(
        hysteresis <= most,
        "maxHopelessSteps",
        "at least " + hysteresis + ", the hysteresis of the loss scale",
        most);
  }

  private static void requireRetry(LossScale scale, Accumulation accumulation) {
    require(
        scale.moves(),
        "a loss scale that falls",
        scale.name(),
        "Use LossScale.dynamic(), or the policy skip.");
    require(
        !accumulation.windowed(),
        "one batch to a step, for the scale of a window stays as it is until its step is taken",
        accumulation.microBatches() + " micro-batches",
        "Use the policy skip, with Accumulation.OnOverflow.DROP_MICRO_BATCH to lose little.");
  }

  private static void require(boolean holds, String expected, String got, String fix) {
    if (!holds) {
      throw new ArgumentException(
          new Problem("overflow policy retrySameBatch", "", expected, got, fix));
    }
  }

  /** A step that takes one batch. */
  public TrainStep(Cell net, PrecisionRules precision, LossScale scale, Recipe recipe) {
    this(net, precision, scale, recipe, Accumulation.none());
  }

  /** A step by the default rules. */
  public TrainStep(
      Cell net,
      PrecisionRules precision,
      LossScale scale,
      Recipe recipe,
      Accumulation accumulation) {
    this(net, precision, scale, recipe, accumulation, StepRules.defaults());
  }

  /** The step in two halves, where it takes more than one batch. */
  Optional<AccumulatedStep> window() {
    return accumulation.windowed() && recipe instanceof Recipe.Standard(_, Optimizer optimizer)
        ? Optional.of(new AccumulatedStep(net, optimizer, precision, scale, accumulation, rules))
        : Optional.empty();
  }

  /**
   * Describes the step to {@code base}, which runs or records it.
   *
   * @param samples the running number of each sample
   */
  Outcome<Tensor> describe(
      Executor base, Variables state, List<Tensor> inputs, Tensor samples, Collective collective) {
    Tape tape = new Tape(base);
    Map<Variable, Tensor> watched = new LinkedHashMap<>();
    Variables watching = new Watching(state, tape, recipe, watched);
    Executor ruled = precision.over(tape, new CastDraws(state, samples));
    Recording recording = new Recording(ruled, watching, net, samples, true);
    StepBuilder step = new StepBuilder(recording, tape, base, watched, rules, collective);
    return step.finish(recipe.describe(step, inputs), scale);
  }

  /** Reads through to a state, and has the tape watch the parameters that the recipe trains. */
  private record Watching(Variables state, Tape tape, Recipe recipe, Map<Variable, Tensor> watched)
      implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return variable.kind() == Variable.Kind.PARAMETER && recipe.trains(variable)
          ? watched.computeIfAbsent(variable, v -> tape.watch(state.read(v)))
          : state.read(variable);
    }

    @Override
    public long seed() {
      return state.seed();
    }
  }
}
