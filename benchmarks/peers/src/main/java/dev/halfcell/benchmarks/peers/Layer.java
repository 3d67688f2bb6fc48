package dev.halfcell.benchmarks.peers;

import java.util.List;

/**
 * What networks are made of; each peer says what it takes for it. Parameters of a layer stand in
 * the order of its description.
 */
sealed interface Layer {
  /**
   * A convolution with a square kernel, and zeros around the image: weight [outputs, inputs,
   * kernel, kernel], and bias [outputs] if it has one.
   */
  record Convolution(int inputs, int outputs, int kernel, int stride, int padding, boolean bias)
      implements Layer {}

  /** Each channel with mean 0 and variance 1 over the batch, epsilon 1e-5: gamma, beta. */
  record BatchNorm(int channels) implements Layer {}

  /** max(x, 0). */
  record Relu() implements Layer {}

  /** x · Φ(x), not its approximation by tanh. */
  record Gelu() implements Layer {}

  /** The largest of each square. */
  record MaxPool(int side, int stride, int padding) implements Layer {}

  /** The mean of each channel: [N, C, H, W] → [N, C]. */
  record GlobalAveragePool() implements Layer {}

  /** All axes but the first become one. */
  record Flatten() implements Layer {}

  /** x · weightᵀ + bias over the last axis: weight [outputs, inputs], bias [outputs]. */
  record Dense(int inputs, int outputs) implements Layer {}

  /** What the branch makes of x, plus what the shortcut does; without layers that is x itself. */
  record Residual(List<Layer> branch, List<Layer> shortcut) implements Layer {
    public Residual {
      branch = List.copyOf(branch);
      shortcut = List.copyOf(shortcut);
    }
  }

  /** Each vector with mean 0 and variance 1, epsilon 1e-5: gamma, beta. */
  record LayerNorm(int features) implements Layer {}

  /**
   * Attention of the vectors of [N, T, features] to each other, in heads: weight [features,
   * features] and bias [features] of queries, keys, values and output.
   */
  record SelfAttention(int features, int heads) implements Layer {}

  /**
   * The last state of the top one of several layers of long short-term memory: [N, T, inputs] → [N,
   * hidden]. Each layer has weights [4 · hidden, inputs] and [4 · hidden, hidden] and two biases [4
   * · hidden], with the gates i, f, g, o.
   */
  record Lstm(int inputs, int hidden, int layers) implements Layer {}

  /** The mean of the vectors: [N, T, features] → [N, features]. */
  record MeanOfVectors() implements Layer {}
}
