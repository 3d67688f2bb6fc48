package dev.halfcell.nn;

import dev.halfcell.tensor.ArgumentException;
import java.util.function.Supplier;

/**
 * What the layers of a transformer are made of.
 *
 * @param features the size of the vectors between layers; a multiple of {@code heads}
 * @param heads how many heads attend
 * @param hidden the size of the layer inside the feed-forward part
 * @param dropout the share that is dropped while training, at least 0 and below 1
 * @param normalizeFirst whether each part normalises its input, as is usual today, or the sum of
 *     input and output, as was first
 * @param activation makes what stands inside the feed-forward part
 */
public record TransformerConfig(
    int features,
    int heads,
    int hidden,
    double dropout,
    boolean normalizeFirst,
    Supplier<Cell> activation) {
  public TransformerConfig {
    ArgumentException.require(heads >= 1, "transformer", "at least 1 head", heads);
    ArgumentException.require(
        features >= 1 && features % heads == 0,
        "transformer",
        "features that are a multiple of the " + heads + " heads",
        features);
    ArgumentException.require(hidden >= 1, "transformer", "at least 1 hidden feature", hidden);
    ArgumentException.require(
        dropout >= 0 && dropout < 1, "transformer dropout", "at least 0 and below 1", dropout);
  }

  /** Normalising first, with ReLU and no dropout. */
  public TransformerConfig(int features, int heads, int hidden) {
    this(features, heads, hidden, 0, true, ReLU::new);
  }

  /** Dense, activation, dense: the same for each place of a sequence. */
  Cell feedForward() {
    double deviation = Math.sqrt(1.0 / hidden);
    return new Sequential(
        new Dense(features, hidden),
        activation.get(),
        new Dense(
            hidden, features, new Initializer.Normal(deviation), new Initializer.Constant(0)));
  }

  /** Attention that leaves dropping to the end of its part. */
  MultiHeadAttention attention(boolean causal) {
    return new MultiHeadAttention(features, heads, causal, 0);
  }
}
