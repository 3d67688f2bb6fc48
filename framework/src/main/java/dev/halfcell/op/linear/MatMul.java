package dev.halfcell.op.linear;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = a · b, either of them transposed.
 *
 * <p>Shapes: a [M, K] (or [K, M] where transposed), b [K, N] (or [N, K]), y [M, N]. Gradient: da =
 * d · bᵀ, db = aᵀ · d.
 *
 * @param wide whether the accumulator leaves unrounded, in FP32: the gradient of a parameter
 */
public record MatMul(boolean transposeA, boolean transposeB, boolean wide) implements Linear {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(2).floating(0).dtype(1, 2, in.getFirst().dtype());
    must.rank(0, 2, "[M, K]").rank(1, 2, "[K, N]");
    TensorSpec a = in.get(0);
    TensorSpec b = in.get(1);
    must.shape(
        a.dim(transposeA ? 0 : 1) == b.dim(transposeB ? 1 : 0),
        "equal inner sizes"
            + (transposeA ? ", a transposed" : "")
            + (transposeB ? ", b transposed" : ""),
        "Check which of the two has to be transposed.");
    DType dtype = wide ? a.dtype().wide() : a.dtype();
    return List.of(TensorSpec.of(dtype, a.dim(transposeA ? 1 : 0), b.dim(transposeB ? 0 : 1)));
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    return in.get(0).size() * in.get(1).dim(transposeB ? 0 : 1);
  }

  @Override
  public List<Tensor> gradient(Backward g) {
    Tensor a = g.in(0);
    Tensor b = g.in(1);
    Tensor d = g.ops().cast(g.d(), a.dtype()); // that of a wide product is not in a's dtype
    return List.of(
        transposeA
            ? g.ops().run(new MatMul(transposeB, true, g.wide(0)), b, d)
            : g.ops().run(new MatMul(false, !transposeB, g.wide(0)), d, b),
        transposeB
            ? g.ops().run(new MatMul(true, transposeA, g.wide(1)), d, a)
            : g.ops().run(new MatMul(!transposeA, false, g.wide(1)), a, d));
  }
}
