package dev.halfcell.amp;

import dev.halfcell.amp.precision.DefaultLists;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.MixedPrecisionCell;
import dev.halfcell.amp.precision.Policy;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Selection;
import dev.halfcell.amp.scale.LossScaler;
import dev.halfcell.backend.Backend;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.NoScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.ParameterStorage;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import java.util.List;
import java.util.Optional;

/**
 * Automatic mixed precision: one argument decides how much of a network runs in half.
 *
 * <pre>{@code
 * try (var train = Amp.buildTrainNetwork(new LeNet5(), new SoftmaxCrossEntropyLoss(), new Momentum(0.01, 0.9), "O2")) {
 *   StepResult result = train.run(images, labels);
 * }
 * }</pre>
 *
 * <p>Source: MindSpore, amp.build_train_network, amp.auto_mixed_precision,
 * amp.custom_mixed_precision, amp.get_white_list and get_black_list; their level table.
 */
public final class Amp {
  private Amp() {}

  /** Which cell of {@code net} computes how at this level, and why. */
  public static PrecisionPlan plan(Cell net, Level level, AmpOptions options) {
    return PrecisionPlan.of(net, level, options.precision());
  }

  /**
   * The network at this level, as a cell for own loops, for other cells or for {@link
   * #buildTrainNetwork(Cell, Cell, Optimizer, String)}.
   */
  public static Cell autoMixedPrecision(Cell net, String level) {
    return autoMixedPrecision(net, Level.of(level));
  }

  /** The network at this level, as a cell. */
  public static Cell autoMixedPrecision(Cell net, Level level) {
    return autoMixedPrecision(net, level, PrecisionOptions.defaults());
  }

  /**
   * The network at this level, as a cell: the network alone, without loss or optimizer. Its ops are
   * cast by its own plan, whatever executes them; {@code net} is only read, parameters keep their
   * names, and what leaves is FP32. A plan of a network around it takes over its decisions; one
   * around the whole of it would do nothing and is an error.
   */
  public static Cell autoMixedPrecision(Cell net, Level level, PrecisionOptions options) {
    ArgumentException.requirePresent(net, "autoMixedPrecision", "the network");
    ArgumentException.requirePresent(level, "autoMixedPrecision", "the level");
    ArgumentException.requirePresent(options, "autoMixedPrecision", "the options");
    return MixedPrecisionCell.of(net, level, options);
  }

  /** The network with this policy, as a cell. */
  public static Cell autoMixedPrecision(Cell net, Policy policy) {
    ArgumentException.requirePresent(policy, "autoMixedPrecision", "the policy");
    return autoMixedPrecision(net, policy.level(), policy.on(PrecisionOptions.defaults()));
  }

  /**
   * The network as a cell, by these lists instead of {@link #whiteList} and {@link #blackList}.
   * With an allow list alone, what is not on it takes its widest input, or FP32 where its class
   * needs that; with a deny list alone, what is not on it is half; with both, what is on neither
   * takes its widest input.
   */
  public static Cell customMixedPrecision(Cell net, Selection allow, Selection deny, DType half) {
    ArgumentException.requirePresent(net, "customMixedPrecision", "the network");
    ArgumentException.requirePresent(allow, "customMixedPrecision", "the allow list");
    ArgumentException.requirePresent(deny, "customMixedPrecision", "the deny list");
    return DefaultLists.custom(net, allow, deny, half);
  }

  /** The cells and ops that gain from half, to start a list from. */
  public static Selection whiteList() {
    return DefaultLists.white();
  }

  /** The cells and ops that need FP32, to start a list from. */
  public static Selection blackList() {
    return DefaultLists.black();
  }

  /**
   * What a training step of {@code net} takes at these levels, trained by momentum on the preferred
   * backend; {@link LevelComparison} compares other trainings, and measures.
   *
   * @param inputs the specs of data and label, batch axis included
   */
  public static LevelComparison compare(
      Cell net, Cell loss, List<TensorSpec> inputs, Level... levels) {
    return LevelComparison.of(
        new LevelComparison.Training(net, loss, new Momentum(0.01, 0.9), AmpOptions.defaults()),
        inputs,
        levels);
  }

  /** A train cell for a network and its loss. */
  public static TrainStepCell buildTrainNetwork(
      Cell net, Cell loss, Optimizer optimizer, String level) {
    return buildTrainNetwork(net, loss, optimizer, Level.of(level), AmpOptions.defaults());
  }

  /** A train cell for a network and its loss, with options. */
  public static TrainStepCell buildTrainNetwork(
      Cell net, Cell loss, Optimizer optimizer, Level level, AmpOptions options) {
    return buildTrainNetwork(new WithLossCell(net, loss), optimizer, level, options);
  }

  /** A train cell for a network and its loss, with a policy such as {@code mixed_float16}. */
  public static TrainStepCell buildTrainNetwork(
      Cell net, Cell loss, Optimizer optimizer, Policy policy, AmpOptions options) {
    ArgumentException.requirePresent(policy, "buildTrainNetwork", "the policy");
    ArgumentException.requirePresent(options, "buildTrainNetwork", "the options");
    return buildTrainNetwork(net, loss, optimizer, policy.level(), options.precision(policy::on));
  }

  /** A train cell for a network that yields its own loss, such as a {@link WithLossCell}. */
  public static TrainStepCell buildTrainNetwork(Cell net, Optimizer optimizer, String level) {
    return buildTrainNetwork(net, optimizer, Level.of(level), AmpOptions.defaults());
  }

  /** A train cell for a network that yields its own loss. */
  public static TrainStepCell buildTrainNetwork(Cell net, Optimizer optimizer, Level level) {
    return buildTrainNetwork(net, optimizer, level, AmpOptions.defaults());
  }

  /**
   * A train cell for a network that yields its own loss, with options. The network is only read: it
   * can be built again, at any level.
   */
  public static TrainStepCell buildTrainNetwork(
      Cell net, Optimizer optimizer, Level level, AmpOptions options) {
    ArgumentException.requirePresent(net, "buildTrainNetwork", "the network");
    ArgumentException.requirePresent(optimizer, "buildTrainNetwork", "the optimizer");
    ArgumentException.requirePresent(level, "buildTrainNetwork", "the level");
    ArgumentException.requirePresent(options, "buildTrainNetwork", "the options");
    LossScale scale = scale(level, options);
    PrecisionPlan plan = plan(net, level, options);
    return switch (scale) {
      case NoScale() -> new TrainOneStepCell(net, optimizer, plan, scale, options);
      case FixedScale _, DynamicScale _, LogMaxScale _ ->
          new TrainOneStepWithLossScaleCell(net, optimizer, plan, scale, options);
    };
  }

  /**
   * Whether every element of all these tensors is finite: a BOOL scalar. For loops that run op by
   * op; a step checks its gradients itself.
   */
  public static Tensor allFinite(Ops ops, List<Tensor> tensors) {
    return LossScaler.allFinite(ops, tensors);
  }

  private static LossScale scale(Level level, AmpOptions options) {
    return options.step().lossScale().orElse(level.defaultScale(options.precision().half()));
  }

  /**
   * A loop of one's own at a level: the same casts, loss scale and rules as {@link
   * #buildTrainNetwork(Cell, Optimizer, Level, AmpOptions)}, and with the standard recipe the same
   * bits. State and backend are the caller's and have to be among the options.
   */
  public static TrainLoop buildTrainLoop(Cell net, Recipe recipe, Level level, AmpOptions options) {
    ArgumentException.requirePresent(net, "buildTrainLoop", "the network");
    ArgumentException.requirePresent(recipe, "buildTrainLoop", "the recipe");
    ArgumentException.requirePresent(level, "buildTrainLoop", "the level");
    ArgumentException.requirePresent(options, "buildTrainLoop", "the options");
    RunOptions run = options.run();
    TrainState state =
        run.state().orElseThrow(() -> missing("state", "AmpOptions.state(TrainState.of(...))"));
    Backend backend =
        run.backend().orElseThrow(() -> missing("backend", "AmpOptions.backend(...)"));
    PrecisionPlan plan = plan(net, level, options);
    plan.requireOffered(backend);
    TrainStep step =
        new TrainStep(
            net,
            plan,
            scale(level, options),
            stored(net, recipe, options, state),
            options.step().accumulation(),
            options.step().rules());
    return run.loop(step, state, backend);
  }

  /** The recipe, held to what parameters in half demand where they were asked for. */
  private static Recipe stored(Cell net, Recipe recipe, AmpOptions options, TrainState state) {
    Optional<ParameterStorage> asked =
        options.precision().numerics().storage(options.precision().half());
    asked.ifPresent(storage -> TrainStepCell.requireStored(state, storage));
    return asked.map(storage -> new HalfState(storage.dtype()).require(net, recipe)).orElse(recipe);
  }

  private static ArgumentException missing(String option, String fix) {
    return new ArgumentException(
        new Problem(
            "buildTrainLoop", "", "a " + option + ", which the caller closes", "none", fix));
  }
}
