package dev.halfcell.train;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Executor;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A training step as a value. It can be described to any executor, any number of times.
 *
 * @param net the network, which the recipe calls
 * @param precision puts the casting rules before an executor; {@link UnaryOperator#identity} means
 *     FP32 throughout
 * @param scale the rule of the loss scale
 * @param recipe what a step does
 */
public record TrainStep(
    Cell net, UnaryOperator<Executor> precision, LossScale scale, Recipe recipe) {
  /**
   * Describes the step to {@code base}, which runs or records it.
   *
   * @param samples the running number of each sample
   */
  Outcome<Tensor> describe(Executor base, Variables state, List<Tensor> inputs, Tensor samples) {
    Tape tape = new Tape(base);
    Map<Variable, Tensor> watched = new LinkedHashMap<>();
    Variables watching = new Watching(state, tape, recipe, watched);
    Recording recording = new Recording(precision.apply(tape), watching, net, samples, true);
    StepBuilder step = new StepBuilder(recording, tape, base, watched);
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
