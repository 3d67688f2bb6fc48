package dev.halfcell.op.reduction;

/**
 * (d, y) → y · (d − Σ d · y), sums along {@code axis}: the gradient of {@link Softmax}, y being its
 * output.
 */
public record SoftmaxGradient(int axis) implements AlongAxisGradient {}
