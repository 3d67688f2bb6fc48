package dev.halfcell.op.attention;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (q, k, v[, mask]) → y = p · v, l, with p = softmax(scale · q · kᵀ) over the keys that take part,
 * and l the logarithm of the sum of exponentials of each row of scores.
 *
 * <p>A key takes part where the mask is true and, if {@code causal}, where its number is at most
 * that of the query, both counted from 0. A row with nothing to look at, all masked or all −∞, has
 * p = 0 and l = −∞, so that y is 0 and no NaN arises. p multiplies all values, so that a NaN among
 * the values reaches every row, masked or not.
 *
 * <p>Shapes: q [N, heads, T, D], k [N, heads, S, D], v [N, heads, S, E], mask BOOL [N or 1, heads
 * or 1, T or 1, S or 1], y [N, heads, T, E], l [N, heads, T] in FP32 (FP64 of FP64). Gradient:
 * {@link ScaledDotProductAttentionGradient}, which computes p anew from l: T numbers a head are
 * kept, not T · S. The mask and l have none.
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017, section 3.2.1; keeping l:
 * Dao et al., "FlashAttention", NeurIPS 2022, section 3.1.
 *
 * @param causal whether a query looks at no later key
 * @param scale what scores are multiplied with
 */
public record ScaledDotProductAttention(boolean causal, double scale) implements Attention {
  public ScaledDotProductAttention {
    ArgumentException.require(
        scale > 0 && Double.isFinite(scale), "attention scale", "finite and above 0", scale);
  }

  /** The usual scale, 1/√D, for {@code features} = D. */
  public static ScaledDotProductAttention of(int features, boolean causal) {
    return new ScaledDotProductAttention(causal, 1 / Math.sqrt(features));
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(3, 4);
    Requirements must = Attention.requireShapes(this, in, 0, at);
    TensorSpec q = in.getFirst();
    Shape scores = Attention.scores(must, q, in.get(1));
    Attention.requireMask(must, 3, scores);
    return List.of(
        q.as(must.sized(q.dim(0), q.dim(1), q.dim(2), in.get(2).dim(3))),
        new TensorSpec(q.dtype().wide(), q.shape().head(3)));
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    TensorSpec q = in.getFirst();
    long scores = q.shape().head(3).size() * in.get(1).dim(2);
    return scores * (q.dim(3) + in.get(2).dim(3));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    ScaledDotProductAttentionGradient op =
        new ScaledDotProductAttentionGradient(causal, scale, b.wide(0), b.wide(1), b.wide(2));
    Tensor[] in =
        b.in().size() == 3
            ? new Tensor[] {b.d(), b.in(0), b.in(1), b.in(2), b.out(1)}
            : new Tensor[] {b.d(), b.in(0), b.in(1), b.in(2), b.out(1), b.in(3)};
    return b.ops().runAll(op, in);
  }
}
