package dev.halfcell.amp;

import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LarsRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterOptimizer;
import dev.halfcell.optim.RuleOptimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * What a state in half demands of an optimizer: that half can hold its epsilon, learning rate and
 * weight decay. Updates are computed in FP32 here, but a number that is 0 in the dtype of what it
 * moves is far more often a mistake than meant, and is 0 where other systems take the run over.
 */
final class HalfState {
  private final DType half;

  HalfState(DType half) {
    this.half = half;
  }

  /**
   * A recipe whose optimizers are held to this: the standard one's now, those of another where it
   * applies them.
   */
  Recipe require(Cell net, Recipe recipe) {
    if (recipe instanceof Recipe.Standard standard) {
      require(net, standard.optimizer());
      return recipe;
    }
    return new Required(this, net, recipe);
  }

  private record Required(HalfState half, Cell net, Recipe own) implements Recipe {
    @Override
    public Tensor describe(StepBuilder step, List<Tensor> inputs) {
      Tensor loss = own.describe(step, inputs);
      step.optimizers().forEach(optimizer -> half.require(net, optimizer));
      return loss;
    }

    @Override
    public boolean trains(Variable parameter) {
      return own.trains(parameter);
    }
  }

  /**
   * Throws where a hyper-parameter of some parameter of {@code net} is 0 in half and not in FP32.
   */
  void require(Cell net, Optimizer optimizer) {
    net.paths()
        .forEach(
            (cell, at) ->
                cell.parameters().stream()
                    .filter(Parameter::trainable)
                    .flatMap(parameter -> optimizer.of(parameter.in(at)).stream())
                    .forEach(this::require));
  }

  private void require(ParameterOptimizer optimizer) {
    require("learning rate", largest(optimizer.learningRate()));
    if (optimizer instanceof RuleOptimizer known) {
      hyperParameters(known.rule()).forEach(this::require);
    }
  }

  /** A schedule may begin or end at 0; its largest rate is one of an early or of a late step. */
  private static double largest(Schedule schedule) {
    return LongStream.iterate(1, step -> step <= 1 << 24, step -> 2 * step)
        .mapToDouble(step -> schedule.rate(step - 1))
        .max()
        .orElseThrow();
  }

  private static Map<String, Double> hyperParameters(UpdateRule rule) {
    return switch (rule) {
      case AdagradRule r -> both(r.epsilon(), r.weightDecay());
      case AdamRule r -> both(r.epsilon(), r.weightDecay());
      case LambRule r -> both(r.epsilon(), r.weightDecay());
      case RmsPropRule r -> both(r.epsilon(), r.weightDecay());
      case LarsRule r -> Map.of("weight decay", r.weightDecay());
      case MomentumRule r -> Map.of("weight decay", r.weightDecay());
      case SgdRule r -> Map.of("weight decay", r.weightDecay());
    };
  }

  private static Map<String, Double> both(double epsilon, double weightDecay) {
    return Map.of("epsilon", epsilon, "weight decay", weightDecay);
  }

  private void require(String name, double value) {
    if (value != 0 && half.round(value) == 0) {
      throw new ArgumentException(
          new Problem(
              name,
              "halfParameters(true)",
              "a number that is not 0 in " + half.label(),
              String.valueOf(value),
              half == DType.FP16
                  ? "Take at least 6e-8, such as 1e-7, or half(BF16)."
                  : "Take a larger number."));
    }
  }
}
