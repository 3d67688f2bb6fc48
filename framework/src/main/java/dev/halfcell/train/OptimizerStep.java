package dev.halfcell.train;

import dev.halfcell.autodiff.Gradient;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Ops;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterOptimizer;
import dev.halfcell.optim.ParameterUpdate;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The optimizers' part of one description of a step: gradients checked, bounded and applied. */
final class OptimizerStep {
  private final Recording recording;
  private final Ops below;
  private final List<Tensor> checked = new ArrayList<>();
  private final Map<List<Tensor>, List<Tensor>> checks = new HashMap<>();
  private final Map<Tensor, Tensor> unbounded = new HashMap<>();
  private final Map<Schedule, Tensor> rates = new HashMap<>();
  private final Set<Variable> moved = new LinkedHashSet<>();

  OptimizerStep(Recording recording, Ops below) {
    this.recording = recording;
    this.below = below;
  }

  /** Whether any gradient was applied. */
  boolean applied() {
    return !checked.isEmpty();
  }

  /** All gradients that were applied, before they were bounded. */
  List<Tensor> gradients() {
    return List.copyOf(checked);
  }

  /** Whether the loss and all gradients that were applied are finite, and their norm. */
  List<Tensor> check(Tensor loss) {
    return check(loss, checked);
  }

  /** The same check is made once. */
  private List<Tensor> check(Tensor loss, List<Tensor> gradients) {
    List<Tensor> in = new ArrayList<>(List.of(loss));
    in.addAll(gradients);
    return checks.computeIfAbsent(
        List.copyOf(in), all -> below.runAll(new GradientCheck(), all.toArray(Tensor[]::new)));
  }

  /**
   * Moves the parameters that are not frozen, as if no others had been given; {@code loss} is what
   * the gradients are of.
   */
  void apply(Optimizer optimizer, Map<Variable, Gradient> given, Tensor loss) {
    Map<Variable, Gradient> gradients = new LinkedHashMap<>(given);
    gradients.keySet().removeIf(parameter -> optimizer.of(parameter).isEmpty());
    checked.addAll(judged(gradients));
    GradientClip clip = optimizer.clip();
    Tensor norm = clip.wantsNorm() ? check(loss, values(gradients)).getLast() : loss;
    gradients.forEach(
        (parameter, gradient) ->
            optimizer
                .of(parameter)
                .ifPresent(
                    by -> move(by, parameter, gradient.map(g -> clip.apply(below, g, norm)))));
  }

  private static List<Tensor> values(Map<Variable, Gradient> gradients) {
    return gradients.values().stream().map(Gradient::values).toList();
  }

  /** What gradients were before they were bounded. */
  private List<Tensor> judged(Map<Variable, Gradient> gradients) {
    return values(gradients).stream().map(g -> unbounded.getOrDefault(g, g)).toList();
  }

  /** Bounds gradients that are applied later. */
  Map<Variable, Gradient> clip(GradientClip by, Map<Variable, Gradient> gradients, Tensor loss) {
    Tensor norm = by.wantsNorm() ? check(loss, values(gradients)).getLast() : loss;
    Map<Variable, Gradient> bounded = new LinkedHashMap<>();
    gradients.forEach(
        (parameter, gradient) -> {
          Gradient within = gradient.map(g -> by.apply(below, g, norm));
          unbounded.put(
              within.values(), unbounded.getOrDefault(gradient.values(), gradient.values()));
          bounded.put(parameter, within);
        });
    return bounded;
  }

  /**
   * Refuses to make one whole of the rows of this parameter's gradient where the optimizer moves
   * its rows alone: it would move all of them.
   *
   * @param where what makes it whole
   */
  static void requireNoRows(Optimizer optimizer, Variable parameter, String where) {
    if (optimizer.of(parameter).filter(ParameterOptimizer::needsRows).isPresent()) {
      throw new UsageException(
          new Problem(
              "onlyRows",
              parameter.path().text(),
              "a gradient that stays rows: one batch to a step, and one rank",
              where + ", where rows become a whole gradient",
              "Leave out onlyRows(): the exact rule moves every row in every step."));
    }
  }

  private void move(ParameterOptimizer by, Variable parameter, Gradient gradient) {
    if (!moved.add(parameter)) {
      throw new UsageException(
          new Problem(
              "applyGradients",
              parameter.path().text(),
              "one optimizer for each parameter, once in a step",
              "a second update",
              "Pass each optimizer the gradients of its own parameters."));
    }
    Tensor rate = rates.computeIfAbsent(by.learningRate(), this::rate);
    by.update(
        new ParameterUpdate(
            below,
            parameter,
            gradient,
            rate,
            recording.read(Variable.applied()),
            recording::read,
            recording::update));
  }

  /** Moves the average of each parameter that was moved towards what it becomes. */
  void average(double keep) {
    RunningAverage rule = new RunningAverage(keep, 1);
    for (Variable parameter : moved) {
      Variable average = parameter.average();
      recording.update(
          average, below.run(rule, recording.read(average), recording.read(parameter)));
    }
  }

  private Tensor rate(Schedule schedule) {
    Tensor applied = recording.read(Variable.applied());
    return schedule.plateau().isPresent()
        ? below.run(new LearningRate(schedule), applied, recording.read(Variable.rateFactor()))
        : below.run(new LearningRate(schedule), applied);
  }
}
