package dev.halfcell.nn;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;

/**
 * Self-attention, then a feed-forward network, each with a residual, a {@link LayerNorm} and
 * dropout around it.
 *
 * <p>Inputs: x and, where wanted, a mask as {@link MultiHeadAttention} takes it. Shapes: x and y
 * [N, T, features]. Children: attention and feed_forward, each with its norm, part and dropout.
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017, section 3.1; normalising
 * first: Xiong et al., "On Layer Normalization in the Transformer Architecture", ICML 2020.
 */
public final class TransformerEncoderLayer extends Cell {
  private final Cell attention;
  private final Cell feedForward;

  /** A layer of this make. */
  public TransformerEncoderLayer(TransformerConfig config) {
    attention = child("attention", new TransformerPart(config, config.attention(false)));
    feedForward = child("feed_forward", new TransformerPart(config, config.feedForward()));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    if (inputs.length != 1 && inputs.length != 2) {
      throw new UsageException(
          new Problem(
              "TransformerEncoderLayer",
              f.path().text(),
              "x and perhaps a mask",
              inputs.length + " inputs",
              "See the cell's documentation."));
    }
    return f.call(feedForward, f.call(attention, inputs));
  }
}
