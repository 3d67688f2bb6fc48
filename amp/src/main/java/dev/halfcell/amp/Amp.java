package dev.halfcell.amp;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;

/**
 * Automatic mixed precision: one argument decides how much of a network runs in half.
 *
 * <pre>{@code
 * try (var train = Amp.buildTrainNetwork(new LeNet5(), new SoftmaxCrossEntropyLoss(), new Momentum(0.01, 0.9), "O2")) {
 *   StepResult result = train.run(images, labels);
 * }
 * }</pre>
 */
public final class Amp {
  private Amp() {}

  /** Which cell of {@code net} computes how at this level, and why. */
  public static PrecisionPlan plan(Cell net, Level level, AmpOptions options) {
    return PrecisionPlan.of(net, level, options.precision());
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
    LossScale scale =
        options.step().lossScale().orElse(level.defaultScale(options.precision().half()));
    PrecisionPlan plan = plan(net, level, options);
    return switch (scale) {
      case LossScale.None() -> new TrainOneStepCell(net, optimizer, plan, scale, options);
      case LossScale.Fixed _, LossScale.Dynamic _ ->
          new TrainOneStepWithLossScaleCell(net, optimizer, plan, scale, options);
    };
  }
}
