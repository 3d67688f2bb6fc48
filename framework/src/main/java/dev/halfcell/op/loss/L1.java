package dev.halfcell.op.loss;

/** (x, target) → the mean over all elements of |x − target|. */
public record L1() implements ElementLoss {}
