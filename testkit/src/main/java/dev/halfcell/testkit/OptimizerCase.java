package dev.halfcell.testkit;

import dev.halfcell.op.update.OneCycle;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Adagrad;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.AdamW;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Lamb;
import dev.halfcell.optim.Lars;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterGroup;
import dev.halfcell.optim.RmsProp;
import dev.halfcell.optim.RuleOptimizer;
import dev.halfcell.optim.Sgd;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An optimizer to hold to its contract, with a rate at which it learns fast.
 *
 * @param grouped whether some parameters are moved otherwise, and one not at all
 */
record OptimizerCase(RuleOptimizer rule, boolean grouped, Optional<GradientClip> clip) {
  /** Optimizers in all their forms. An optimizer that is missing here fails its contract. */
  static List<RuleOptimizer> rules() {
    Schedule decaying = new Schedule.WarmUp(3, new Schedule.Cosine(0.05, 400, 0.001));
    return List.of(
        new Sgd(new Plateau(0.1), 0.001),
        new Momentum(new OneCycle(0.05, 300), 0.9, false, 0.001, false),
        new Momentum(decaying, 0.9, true, 0.001, true),
        new Adam(decaying, 0.9, 0.99, 1e-8, 0.001),
        new Adam(decaying, 0.9, 0.99, 1e-8, 0.001).onlyRows(),
        new AdamW(decaying, 0.9, 0.99, 1e-8, 0.001),
        new Lamb(decaying, 0.9, 0.99, 1e-6, 0.001),
        new Lars(new Schedule.Polynomial(1, 400, 0.001, 2), 0.02, 0.9, 0.001),
        new RmsProp(decaying, 0.9, 1e-4, 0, false, 0.001),
        new RmsProp(decaying, 0.9, 1e-4, 0.5, true, 0.001),
        new Adagrad(new Schedule.StepDecay(0.3, 100, 0.7), 0.1, 1e-10, 0.0001));
  }

  /** Each with and without groups, its gradients bounded in each way and not at all. */
  static Stream<OptimizerCase> all() {
    List<Optional<GradientClip>> clips =
        List.of(
            Optional.empty(),
            Optional.of(GradientClip.byNorm(0.5)),
            Optional.of(GradientClip.byValue(0.1)));
    return rules().stream()
        .flatMap(
            rule ->
                clips.stream()
                    .flatMap(
                        clip ->
                            Stream.of(false, true)
                                .map(grouped -> new OptimizerCase(rule, grouped, clip))));
  }

  /** The optimizer, for a network whose parameters are /0/weight, /0/bias, /2/weight, /2/bias. */
  Optimizer optimizer() {
    Optimizer optimizer =
        grouped
            ? rule.groups(
                ParameterGroup.of("/0/bias").frozen(),
                ParameterGroup.of("/2/bias").weightDecay(0),
                ParameterGroup.of("/2/**").rateFactor(0.5),
                ParameterGroup.of("/*/weight").weightDecay(0.01))
            : rule;
    return clip.map(optimizer::clip).orElse(optimizer);
  }

  @Override
  public String toString() {
    return rule + (grouped ? " in groups" : "") + clip.map(by -> " " + by).orElse("");
  }
}
