package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.Arrays;
import java.util.List;

/** Where a loss scale stands, as variables of a run's state. */
final class ScaleVariables {
  private ScaleVariables() {}

  /** Scale, clean steps, and words where the rule remembers any. */
  static List<Variable> of(LossScale rule) {
    List<Variable> all = List.of(Variable.scale(), Variable.cleanSteps(), Variable.scaleWords());
    return rule.start().words().isEmpty() ? all.subList(0, 2) : all;
  }

  /** Adds the rule's start to a state that has no scale yet. */
  static void declare(StepState state, LossScale rule) {
    LossScale.State start = rule.start();
    state.declare(Variable.scale(), TensorSpec.of(DType.FP32), start.scale());
    state.declare(Variable.cleanSteps(), TensorSpec.of(DType.INT64), (double) start.clean());
    if (!start.words().isEmpty()) {
      double[] words = start.words().stream().mapToDouble(word -> word).toArray();
      TensorSpec spec = TensorSpec.of(DType.FP64, words.length);
      state.declare(Variable.scaleWords(), spec, words);
      requireFit(state.read(Variable.scaleWords()), spec, rule);
    }
  }

  /** A state may have come from a run of another rule. */
  private static void requireFit(Tensor words, TensorSpec spec, LossScale rule) {
    if (!words.spec().equals(spec)) {
      throw new UsageException(
          new Problem(
              "loss scale",
              Variable.scaleWords().path().text(),
              spec + ", which " + rule.name() + " remembers",
              words.spec() + " of another rule",
              "Train on with the rule that the state was made with, or take a new state."));
    }
  }

  /** Where the scale of this rule stands. */
  static LossScale.State read(Variables state, LossScale rule) {
    List<Double> words =
        rule.start().words().isEmpty()
            ? List.of()
            : Arrays.stream(state.read(Variable.scaleWords()).toArray()).boxed().toList();
    return new LossScale.State(
        state.read(Variable.scale()).item(),
        (long) state.read(Variable.cleanSteps()).item(),
        words);
  }
}
