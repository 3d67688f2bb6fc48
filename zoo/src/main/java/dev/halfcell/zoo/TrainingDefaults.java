package dev.halfcell.zoo;

/**
 * What a network is trained with unless told otherwise: gradient descent with momentum.
 *
 * @param batchSize samples in a step
 * @param epochs how often each sample is seen
 */
public record TrainingDefaults(int batchSize, int epochs, double learningRate, double momentum) {}
