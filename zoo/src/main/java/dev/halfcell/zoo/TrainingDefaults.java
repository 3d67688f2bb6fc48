package dev.halfcell.zoo;

/**
 * What a network is trained with unless told otherwise: gradient descent with momentum.
 *
 * @param batchSize samples in a step
 * @param epochs how often each sample is seen
 * @param weightDecay of every parameter alike, biases and the scales and shifts of normalisations
 *     among them, added to the gradient (L2)
 * @param schedule how the learning rate follows the steps
 */
public record TrainingDefaults(
    int batchSize,
    int epochs,
    double learningRate,
    double momentum,
    double weightDecay,
    RunSchedule schedule) {
  /** Without decay, at one rate. */
  TrainingDefaults(int batchSize, int epochs, double learningRate, double momentum) {
    this(batchSize, epochs, learningRate, momentum, 0, RunSchedule.CONSTANT);
  }
}
