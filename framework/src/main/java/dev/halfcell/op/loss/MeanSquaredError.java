package dev.halfcell.op.loss;

/** (x, target) → the mean over all elements of (x − target)². */
public record MeanSquaredError() implements ElementLoss {}
