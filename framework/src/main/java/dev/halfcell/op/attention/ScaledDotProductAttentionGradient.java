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
 * (d, q, k, v, l[, mask]) → dq, dk, dv: the gradients of {@link ScaledDotProductAttention}. With p
 * = exp(scale · q · kᵀ − l), 0 where a key takes no part or l is −∞, and g = d · vᵀ:
 *
 * <p>dv = pᵀ · d, h = scale · p · (g − Σ over the keys of p · g), dq = h · k, dk = hᵀ · q.
 *
 * <p>Shapes: d [N, heads, T, E], l [N, heads, T], others as there. p, g and h are in FP32 at least.
 *
 * <p>Source: Dao et al., "FlashAttention", NeurIPS 2022, appendix B.2; the sum over p · g instead
 * of d · y, which it equals but for the rounding of y.
 *
 * @param wideQuery whether dq leaves unrounded, in FP32; {@code wideKey} and {@code wideValue} for
 *     dk and dv
 */
public record ScaledDotProductAttentionGradient(
    boolean causal, double scale, boolean wideQuery, boolean wideKey, boolean wideValue)
    implements Attention {
  public ScaledDotProductAttentionGradient {
    ArgumentException.require(
        scale > 0 && Double.isFinite(scale), "attention scale", "finite and above 0", scale);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(5, 6);
    Requirements must = Attention.requireShapes(this, in, 1, at);
    TensorSpec q = in.get(1);
    Shape rows = q.shape().head(3);
    must.shape(
            in.get(0).equals(q.as(rows.then(in.get(3).dim(3)))),
            "d as the attention's result is",
            "Pass the gradient of the result.")
        .shape(
            in.get(4).equals(new TensorSpec(q.dtype().wide(), rows)),
            "a logarithm for each row of scores",
            "Pass what the attention kept.");
    Attention.requireMask(must, 5, Attention.scores(must, q, in.get(2)));
    return List.of(wide(q, wideQuery), wide(in.get(2), wideKey), wide(in.get(3), wideValue));
  }

  private static TensorSpec wide(TensorSpec x, boolean wide) {
    return wide ? x.as(x.dtype().wide()) : x;
  }

  /** q · kᵀ once more, d · vᵀ, and the three results. */
  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    TensorSpec q = in.get(1);
    long scores = q.shape().head(3).size() * in.get(2).dim(2);
    return scores * (3L * q.dim(3) + 2L * in.get(3).dim(3));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
