package dev.halfcell.op.linear;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.op.elementwise.Broadcast;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * y = a · b for each place of the leading axes; the matrices of either may be transposed.
 *
 * <p>Shapes: a [..., M, K] (or [..., K, M] where transposed), b [..., K, N] (or [..., N, K]), y
 * [..., M, N]. Leading axes are matched from the last one on, and one that is missing or of size 1
 * is repeated. Gradient: da = d · bᵀ, db = aᵀ · d, summed over the axes that were repeated.
 *
 * <p>Source: NumPy, "numpy.matmul", notes on broadcasting, for operands of at least two axes.
 *
 * @param wide whether the accumulator leaves unrounded, in FP32: the gradient of a parameter
 */
public record MatMul(boolean transposeA, boolean transposeB, boolean wide) implements Linear {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(2).floating(0).dtype(1, 2, in.getFirst().dtype());
    must.rankAtLeast(0, 2, "[..., M, K]").rankAtLeast(1, 2, "[..., K, N]");
    Shape a = in.get(0).shape();
    Shape b = in.get(1).shape();
    must.shape(
        last(a, transposeA ? 1 : 0) == last(b, transposeB ? 0 : 1),
        "equal inner dimensions"
            + (transposeA ? ", a transposed" : "")
            + (transposeB ? ", b transposed" : ""),
        "The inner dimensions differ: "
            + a
            + " x "
            + b
            + ". Check which of the two has to be transposed.");
    must.shape(
        Broadcast.fits(leading(a), leading(b)),
        "leading axes that broadcast",
        "All axes but the last two must be equal, 1 or missing in front.");
    DType dtype = wide ? in.getFirst().dtype().wide() : in.getFirst().dtype();
    List<Integer> y = new ArrayList<>(Broadcast.sizes(leading(a), leading(b)));
    y.add(last(a, transposeA ? 0 : 1));
    y.add(last(b, transposeB ? 1 : 0));
    return List.of(new TensorSpec(dtype, must.sized(y)));
  }

  private static Shape leading(Shape shape) {
    return shape.head(shape.rank() - 2);
  }

  /** The size of the last axis, or of the one before it. */
  private static int last(Shape shape, int before) {
    return shape.dim(shape.rank() - 1 - before);
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    int inner = last(in.get(0).shape(), transposeA ? 1 : 0);
    return infer(in, CellPath.ROOT).getFirst().size() * inner;
  }

  @Override
  public List<Tensor> gradient(Backward g) {
    Tensor a = g.in(0);
    Tensor b = g.in(1);
    Tensor d = g.ops().cast(g.d(), a.dtype()); // that of a wide product is not in a's dtype
    Tensor byA =
        transposeA
            ? product(g, 0, transposeB, true, b, d)
            : product(g, 0, false, !transposeB, d, b);
    Tensor byB =
        transposeB
            ? product(g, 1, true, transposeA, d, a)
            : product(g, 1, !transposeA, false, a, d);
    return List.of(byA, byB);
  }

  /**
   * The gradient of an input as a product of x and y. That of matrices that were repeated is summed
   * before it is rounded: by the product itself where rows of x and y do so, else after it.
   */
  private static Tensor product(
      Backward g, int input, boolean transposeX, boolean transposeY, Tensor x, Tensor y) {
    Shape to = g.in(input).shape();
    if (leading(to).equals(leading(g.out(0).shape()))) {
      return g.ops().run(new MatMul(transposeX, transposeY, g.wide(input)), x, y);
    }
    boolean byRows = transposeX && !transposeY && to.rank() == 2;
    if (byRows && leading(x.shape()).equals(leading(y.shape()))) {
      return g.ops().run(new MatMul(true, false, g.wide(input)), g.ops().rows(x), g.ops().rows(y));
    }
    Tensor each = g.ops().run(new MatMul(transposeX, transposeY, true), x, y);
    Tensor sum = Broadcast.undo(g.ops(), each, to, true);
    return g.wide(input) ? sum : g.ops().cast(sum, g.in(input).dtype());
  }
}
