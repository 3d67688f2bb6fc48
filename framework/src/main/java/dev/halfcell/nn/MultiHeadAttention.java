package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.Arrays;

/**
 * Attention in several heads: queries, keys and values are projected, each head attends with its
 * share of the features, and what all heads found is projected once more.
 *
 * <p>Inputs: x for self-attention, or query, key and value; then, where wanted, a mask. Shapes:
 * query and y [N, T, features], key and value [N, S, features], mask BOOL [N or 1, heads or 1, T or
 * 1, S or 1], true where a key takes part. Children: query, key, value, output, each a {@link
 * Dense} from features to features, and dropout. While training, dropout acts on what the heads
 * found, before the last projection: the probabilities themselves are never kept. Op: {@link
 * dev.halfcell.op.attention.ScaledDotProductAttention}.
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017, section 3.2.2.
 */
public final class MultiHeadAttention extends Cell {
  private final int features;
  private final int heads;
  private final boolean causal;
  private final Cell query;
  private final Cell key;
  private final Cell value;
  private final Cell dropout;
  private final Cell output;

  /** Every query may look at every key, and nothing is dropped. */
  public MultiHeadAttention(int features, int heads) {
    this(features, heads, false, 0);
  }

  /**
   * All that can be chosen.
   *
   * @param features the size of each vector; a multiple of {@code heads}
   * @param causal whether a query looks at no later key
   * @param dropout the share to drop, at least 0 and below 1
   */
  public MultiHeadAttention(int features, int heads, boolean causal, double dropout) {
    ArgumentException.require(heads >= 1, "MultiHeadAttention", "at least 1 head", heads);
    ArgumentException.require(
        features >= 1 && features % heads == 0,
        "MultiHeadAttention",
        "features that are a multiple of the " + heads + " heads",
        features);
    this.features = features;
    this.heads = heads;
    this.causal = causal;
    this.query = child("query", projection(features));
    this.key = child("key", projection(features));
    this.value = child("value", projection(features));
    this.dropout = child("dropout", new Dropout(dropout));
    this.output = child("output", projection(features));
  }

  /** Keeps the spread of what passes, as no ReLU follows. */
  private static Cell projection(int features) {
    double deviation = Math.sqrt(1.0 / features);
    return new Dense(
        features, features, new Initializer.Normal(deviation), new Initializer.Constant(0));
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    boolean masked = inputs.length > 1 && inputs[inputs.length - 1].dtype() == DType.BOOL;
    Tensor[] x = masked ? Arrays.copyOf(inputs, inputs.length - 1) : inputs;
    requireCount(f, x);
    Tensor[] heard = new Tensor[masked ? 4 : 3];
    heard[0] = apart(f, f.call(query, x[0]));
    heard[1] = apart(f, f.call(key, x[x.length == 3 ? 1 : 0]));
    heard[2] = apart(f, f.call(value, x[x.length == 3 ? 2 : 0]));
    if (masked) {
      heard[3] = inputs[inputs.length - 1];
    }
    Tensor found = f.ops().transpose(f.ops().attention(causal, heard), 0, 2, 1, 3);
    Tensor together = f.ops().reshape(found, x[0].shape());
    return f.call(output, f.call(dropout, together));
  }

  private void requireCount(Forward f, Tensor... x) {
    boolean right =
        (x.length == 1 || x.length == 3)
            && Arrays.stream(x).allMatch(t -> t.spec().rank() == 3 && t.spec().dim(2) == features);
    if (!right) {
      throw new UsageException(
          new Problem(
              "MultiHeadAttention",
              f.path().text(),
              "x, or query, key and value, of [N, T, " + features + "], and perhaps a mask",
              Tensor.specs(Arrays.asList(x)).toString(),
              "Masks are tensors of truth values."));
    }
  }

  /** The features of each head by themselves: [N, heads, T, features / heads]. */
  private Tensor apart(Forward f, Tensor x) {
    Shape shape = Shape.of(x.spec().dim(0), x.spec().dim(1), heads, features / heads);
    return f.ops().transpose(f.ops().reshape(x, shape), 0, 2, 1, 3);
  }
}
