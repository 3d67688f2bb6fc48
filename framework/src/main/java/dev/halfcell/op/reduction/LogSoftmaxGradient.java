package dev.halfcell.op.reduction;

/**
 * (d, y) → d − e^y · Σ d, sums along {@code axis}: the gradient of {@link LogSoftmax}, y being its
 * output.
 */
public record LogSoftmaxGradient(int axis) implements AlongAxisGradient {}
