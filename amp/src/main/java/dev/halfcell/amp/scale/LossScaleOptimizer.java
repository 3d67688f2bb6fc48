package dev.halfcell.amp.scale;

import dev.halfcell.autodiff.Gradient;
import dev.halfcell.backend.Variable;
import dev.halfcell.op.CellPath;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.StepBuilder;
import java.util.Map;

/**
 * An optimizer in an own loop, in TensorFlow's three calls:
 *
 * <pre>{@code
 * Recipe recipe =
 *     (step, inputs) -> {
 *       Tensor loss = step.forward(net, inputs.get(0), inputs.get(1));
 *       Tensor scaled = optimizer.scaledLoss(step, loss);
 *       optimizer.applyGradients(step, optimizer.unscaledGradients(step, scaled));
 *       return loss;
 *     };
 * }</pre>
 *
 * <p>The scale and its rule are the step's, one for all optimizers in it, and so is the decision
 * whether it is applied. The scaled loss is the loss itself, marked: the backward pass is seeded
 * with the scale, so that no loss is multiplied out of its range. Gradients may be rows of tables.
 * It is no {@link Optimizer}, so that wrapping one twice does not compile. Source: TensorFlow,
 * tf.keras.mixed_precision.LossScaleOptimizer; SparseOperationKit's optimizer wrapper.
 *
 * @param inner how parameters move
 */
public record LossScaleOptimizer(Optimizer inner) {
  /** Marks the loss that the gradients are to be of. */
  public Tensor scaledLoss(StepBuilder step, Tensor loss) {
    return step.scaledLoss(loss);
  }

  /**
   * The gradients of a marked loss by all parameters that were read, in FP32 and without the scale.
   *
   * @throws UsageException where the loss was not marked, or its gradients were asked for before
   */
  public Map<Variable, Gradient> unscaledGradients(StepBuilder step, Tensor scaledLoss) {
    if (!step.isScaled(scaledLoss)) {
      throw new UsageException(
          new Problem(
              "unscaledGradients",
              CellPath.STEP.text(),
              "a loss that scaledLoss has marked",
              "a tensor that it has not",
              "Call optimizer.scaledLoss(step, loss) and pass what it gives."));
    }
    return step.gradients(scaledLoss);
  }

  /** Updates each of these parameters with its gradient, if the whole step is finite. */
  public void applyGradients(StepBuilder step, Map<Variable, Gradient> gradients) {
    step.apply(inner, gradients);
  }
}
