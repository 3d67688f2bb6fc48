package dev.halfcell.nn;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;

/**
 * Causal self-attention, attention to an encoder's output, then a feed-forward network, each with a
 * residual, a {@link LayerNorm} and dropout around it.
 *
 * <p>Inputs: x, the encoder's output and, where wanted, a mask over the latter as {@link
 * MultiHeadAttention} takes it. Shapes: x and y [N, T, features], encoder's output [N, S,
 * features]. Children: self_attention, cross_attention and feed_forward, each with its norm, part
 * and dropout.
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017, section 3.1.
 */
public final class TransformerDecoderLayer extends Cell {
  private final Cell selfAttention;
  private final Cell crossAttention;
  private final Cell feedForward;

  /** A layer of this make. */
  public TransformerDecoderLayer(TransformerConfig config) {
    selfAttention = child("self_attention", new TransformerPart(config, config.attention(true)));
    crossAttention = child("cross_attention", new TransformerPart(config, config.attention(false)));
    feedForward = child("feed_forward", new TransformerPart(config, config.feedForward()));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    if (inputs.length != 2 && inputs.length != 3) {
      throw new UsageException(
          new Problem(
              "TransformerDecoderLayer",
              f.path().text(),
              "x, the encoder's output and perhaps a mask over that",
              inputs.length + " inputs",
              "See the cell's documentation."));
    }
    Tensor x = f.call(selfAttention, inputs[0]);
    Tensor encoded = inputs[1];
    Tensor y =
        inputs.length == 2
            ? f.call(crossAttention, x, encoded, encoded)
            : f.call(crossAttention, x, encoded, encoded, inputs[2]);
    return f.call(feedForward, y);
  }
}
