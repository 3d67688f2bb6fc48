package dev.halfcell.train;

import dev.halfcell.autodiff.Gradient;
import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a recipe may say. One decision over all gradients and one scale update are made when it has
 * said it all. Made for one description of a step; one thread.
 */
public final class StepBuilder {
  private final Recording recording;
  private final Tape tape;
  private final Ops below; // the tape: nothing from here on is differentiated or cast
  private final Map<Variable, Tensor> watched;
  private final StepRules rules;
  private final Ranks ranks;
  private final OptimizerStep optimizers;
  private final SequencedSet<Tensor> differentiated = new LinkedHashSet<>();
  private final Set<Tensor> scaled = new LinkedHashSet<>();
  private final Set<Optimizer> applied = new LinkedHashSet<>();
  private final Set<Variable> madeWhole = new LinkedHashSet<>(); // their gradients came as rows

  StepBuilder(
      Recording recording,
      Tape tape,
      Executor base,
      Map<Variable, Tensor> watched,
      StepRules rules,
      Collective collective) {
    this.recording = recording;
    this.tape = tape;
    this.below = new Ops(base.in(Direction.UPDATE), CellPath.STEP);
    this.watched = watched;
    this.rules = rules;
    this.ranks = new Ranks(collective, below);
    this.optimizers = new OptimizerStep(recording, below);
  }

  /** The output of a network, or of a cell below it, for these inputs. */
  public Tensor forward(Cell net, Tensor... inputs) {
    return recording.call(net, inputs);
  }

  /** Ops outside every cell: differentiated, FP32. */
  public Ops ops() {
    return new Ops(recording.executor(), CellPath.STEP);
  }

  /**
   * Marks a loss whose gradients are to be asked for, and gives it as it is: the scale is what the
   * backward pass is seeded with. A marked loss of which none are asked is an error.
   */
  public Tensor scaledLoss(Tensor loss) {
    requireScalar(loss);
    require(
        scaled.add(loss),
        "scaledLoss",
        "a loss that is not scaled yet",
        "one that is",
        "Scale each loss once.");
    return loss;
  }

  /** Whether {@link #scaledLoss} gave this. */
  public boolean isScaled(Tensor loss) {
    return scaled.contains(loss);
  }

  /**
   * The gradients of {@code loss} by all parameters that were read, by parameter: the backward pass
   * is seeded with the loss scale, and its results are divided by it again in FP32; of several
   * ranks they are the mean. Once for each loss.
   */
  public Map<Variable, Tensor> unscaledGradients(Tensor loss) {
    Map<Variable, Tensor> whole = new LinkedHashMap<>();
    unscaled(loss, gradient -> new Gradient.Dense(gradient.dense(below)))
        .forEach((variable, gradient) -> whole.put(variable, gradient.values()));
    return whole;
  }

  /** The same, where the gradient of a table whose rows are looked up sparsely stays rows. */
  public Map<Variable, Gradient> gradients(Tensor loss) {
    return unscaled(loss, UnaryOperator.identity());
  }

  private Map<Variable, Gradient> unscaled(Tensor loss, UnaryOperator<Gradient> form) {
    requireScalar(loss);
    require(
        !watched.isEmpty(),
        "step",
        "a network with parameters, called before its gradients are asked for",
        "none",
        "Call step.forward(net, ...) first.");
    require(
        differentiated.add(loss),
        "gradients",
        "a loss that was not differentiated in this step",
        "the same loss again",
        "Keep the gradients of the first call.");
    Tensor scale = recording.read(Variable.scale());
    Map<Variable, Gradient> gradients = byParameter(tape.backward(Map.of(loss, scale)), watched);
    gradients.replaceAll(
        (parameter, gradient) ->
            mean(parameter, form.apply(gradient))
                .map(values -> below.run(new Unscale(), values, scale)));
    return gradients;
  }

  private Gradient mean(Variable parameter, Gradient gradient) {
    if (ranks.several() && gradient instanceof Gradient.Rows) {
      madeWhole.add(parameter);
    }
    return ranks.mean(gradient);
  }

  /** The gradients of the parameters that were read, each of which has to have one. */
  static Map<Variable, Gradient> byParameter(
      Map<Tensor, Gradient> gradients, Map<Variable, Tensor> read) {
    Map<Variable, Gradient> found = new LinkedHashMap<>();
    read.forEach(
        (variable, parameter) -> found.put(variable, required(gradients.get(parameter), variable)));
    return found;
  }

  /** Throws unless this is what a step can train on. */
  static void requireScalar(Tensor loss) {
    require(
        loss.shape().rank() == 0,
        "loss",
        "a scalar loss",
        loss.spec().toString(),
        "Put a loss cell around the network whose reduction is MEAN or SUM.");
  }

  private static void require(
      boolean holds, String subject, String expected, String got, String fix) {
    if (!holds) {
      throw new UsageException(new Problem(subject, CellPath.STEP.text(), expected, got, fix));
    }
  }

  private static Gradient required(@Nullable Gradient gradient, Variable parameter) {
    if (gradient == null) {
      throw new UsageException(
          new Problem(
              "gradient",
              parameter.path().text(),
              "a parameter that the loss depends on",
              "one that was read and does not reach the loss",
              "Do not read what the loss does not need."));
    }
    return gradient;
  }

  /** Demands that these parameters were read: one that no cell uses would never move. */
  void requireRead(Collection<Variable> parameters) {
    requireRead(parameters, watched.keySet());
  }

  static void requireRead(Collection<Variable> parameters, Collection<Variable> read) {
    for (Variable parameter : parameters) {
      if (!read.contains(parameter)) {
        throw new UsageException(
            new Problem(
                "gradient",
                parameter.path().text(),
                "a parameter that the loss depends on",
                "one that no cell has read",
                "Call its cell in construct, or hold it: ParameterGroup.of(\"...\").frozen()."));
      }
    }
  }

  /**
   * These gradients within bounds, all of them together. The step is judged by what they were, and
   * reports that norm: a bound would hide an infinity.
   */
  public Map<Variable, Gradient> clip(GradientClip by, Map<Variable, Gradient> gradients) {
    require(
        !differentiated.isEmpty(),
        "clip",
        "gradients of a loss of this step",
        "none was differentiated",
        "Call gradients(loss) first.");
    return optimizers.clip(by, gradients, judged(differentiated.getLast()));
  }

  /** Ops on gradients: FP32, neither differentiated nor cast. */
  public Ops gradientOps() {
    return below;
  }

  /**
   * Updates each of these parameters with its gradient, bounded as the optimizer says; those that
   * it holds frozen stay, and their gradients count for nothing. The other gradients given here are
   * what the step is judged by.
   *
   * @throws UsageException where a parameter was updated already in this step
   */
  public void applyGradients(Optimizer optimizer, Map<Variable, Tensor> gradients) {
    Map<Variable, Gradient> whole = new LinkedHashMap<>();
    gradients.forEach((variable, gradient) -> whole.put(variable, new Gradient.Dense(gradient)));
    apply(optimizer, whole);
  }

  /** The same with gradients that may be rows; of those only the rows are judged. */
  public void apply(Optimizer optimizer, Map<Variable, Gradient> gradients) {
    require(
        !differentiated.isEmpty(),
        "applyGradients",
        "gradients of a loss of this step",
        "none was differentiated",
        "Call unscaledGradients(loss) first.");
    madeWhole.stream()
        .filter(gradients::containsKey)
        .forEach(parameter -> OptimizerStep.requireNoRows(optimizer, parameter, "several ranks"));
    optimizers.apply(optimizer, gradients, judged(differentiated.getLast()));
    applied.add(optimizer);
  }

  /** The optimizers that were applied so far. */
  public Set<Optimizer> optimizers() {
    return Collections.unmodifiableSet(applied);
  }

  /**
   * What is judged beside the gradients: a loss, or, where that does not count, a finite number.
   */
  private Tensor judged(Tensor loss) {
    return rules.nanLossIsOverflow() ? loss : recording.read(Variable.scale());
  }

  /**
   * The whole step: results are loss, finite, gradient norm. Of several ranks the loss is this
   * one's own; all else is the same on each of them.
   */
  Outcome<Tensor> finish(Tensor loss, LossScale rule) {
    require(
        optimizers.applied(),
        "step",
        "a recipe that applies gradients",
        "one that applies none",
        "Call applyGradients(optimizer, unscaledGradients(loss)).");
    require(
        differentiated.containsAll(scaled),
        "scaledLoss",
        "a scaled loss whose gradients are asked for",
        "one of which none are",
        "Call unscaledGradients with what scaledLoss gives.");
    rules.ema().ifPresent(optimizers::average);
    List<Tensor> check = optimizers.check(judged(loss));
    Tensor finite = ranks.all(check.getFirst());
    ranks.averageStatistics(recording);
    new StepEnd(recording, below, rule)
        .after(ranks.mean(loss), finite, finite, optimizers.gradients());
    List<Tensor> results = List.of(loss, finite, check.getLast());
    return new Outcome<>(results, StepEnd.guard(rule, finite), recording.updates());
  }
}
