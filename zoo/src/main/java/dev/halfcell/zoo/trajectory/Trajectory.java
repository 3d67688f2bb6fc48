package dev.halfcell.zoo.trajectory;

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
  /** The number of steps. */
  int steps() {
    return losses.size();
  }
}
