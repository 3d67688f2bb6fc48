package dev.halfcell.benchmarks.peers;

/** What networks are made of; each peer says what it takes for it. */
sealed interface Layer {
  /** A convolution with a square kernel, stride 1, no padding and a bias. */
  record Convolution(int inputs, int outputs, int kernel) implements Layer {}

  /** max(x, 0). */
  record Relu() implements Layer {}

  /** The largest of each square of this side. */
  record MaxPool(int side) implements Layer {}

  /** All axes but the first become one. */
  record Flatten() implements Layer {}

  /** x · weightᵀ + bias. */
  record Dense(int inputs, int outputs) implements Layer {}
}
