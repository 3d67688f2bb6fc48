package dev.halfcell.train;

import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a plan of a step takes: the batch's inputs, the numbers of its samples and, where it is to
 * use a loss scale that is given to it, that one.
 */
record StepInputs(List<Tensor> inputs, Tensor samples, Optional<Tensor> scale) {
  /** From the tensors in their order: only a scale is a scalar that follows sample numbers. */
  static StepInputs of(List<Tensor> tensors) {
    boolean scaled = tensors.getLast().dtype() == DType.FP32;
    int samples = tensors.size() - (scaled ? 2 : 1);
    return new StepInputs(
        tensors.subList(0, samples),
        tensors.get(samples),
        scaled ? Optional.of(tensors.getLast()) : Optional.empty());
  }

  /**
   * Describes a step; with a scale that was given the one in the state neither counts nor moves.
   */
  Outcome<Tensor> describe(Variables state, Function<Variables, Outcome<Tensor>> step) {
    if (scale.isEmpty()) {
      return step.apply(state);
    }
    Outcome<Tensor> outcome = step.apply(new At(state, scale.get()));
    Map<Variable, Tensor> assigns = new LinkedHashMap<>(outcome.assigns());
    assigns.keySet().removeIf(variable -> variable.kind() == Variable.Kind.SCALE);
    return new Outcome<>(outcome.results(), outcome.apply(), assigns);
  }

  /** A state in which the loss scale is another one. */
  private record At(Variables state, Tensor scale) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return variable.equals(Variable.scale()) ? scale : state.read(variable);
    }

    @Override
    public long seed() {
      return state.seed();
    }
  }
}
