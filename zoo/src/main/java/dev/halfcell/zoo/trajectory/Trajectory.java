package dev.halfcell.zoo.trajectory;

import dev.halfcell.nn.BatchNorm1d;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.List;

/**
 * The first steps of a training, as they have to go.
 *
 * @param network what is trained
 * @param optimizer what updates it
 * @param batchSize consecutive training images in each step
 * @param firstImage the image that the first step begins with
 * @param start the parameters before the first step, in order of construction
 * @param losses the loss of each step
 * @param gradientNorms the Euclidean norm of each step's gradients, all parameters together
 */
record Trajectory(
    NetworkDefinition network,
    Optimizer optimizer,
    int batchSize,
    int firstImage,
    List<Tensor> start,
    List<Double> losses,
    List<Double> gradientNorms) {
  /**
   * Whether rounding grows from step to step until FP32 itself, and not only a fault, leads away
   * from the golden steps: with batch normalisation it does (docs/adr/0002 has the measurements).
   */
  boolean magnifiesRounding() {
    return network.build().paths().keySet().stream()
        .anyMatch(cell -> cell instanceof BatchNorm1d || cell instanceof BatchNorm2d);
  }

  /** The number of steps. */
  int steps() {
    return losses.size();
  }
}
