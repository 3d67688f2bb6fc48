package dev.halfcell.op.linear;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * y = x · weightᵀ + bias for each row along the last axis of x, rounded once; the bias may be left
 * out.
 *
 * <p>Shapes: x [..., I] of at least two axes, weight [O, I], bias [O], y [..., O]. Gradient, over
 * all rows at once: dx = d · weight, dweight = dᵀ · x, dbias = the sum of d over the rows.
 */
public record Dense() implements Linear {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at)
            .count(2, 3)
            .floating(0)
            .dtype(1, in.size(), in.getFirst().dtype());
    must.rankAtLeast(0, 2, "[..., I]").rank(1, 2, "[O, I]");
    TensorSpec x = in.get(0);
    TensorSpec weight = in.get(1);
    Shape leading = x.shape().head(x.rank() - 1);
    must.shape(
        x.dim(x.rank() - 1) == weight.dim(1),
        weight.dim(1) + " input features",
        fix(x.shape(), leading, weight.dim(1)));
    must.shape(
        in.size() == 2 || in.get(2).equals(TensorSpec.of(x.dtype(), weight.dim(0))),
        "a bias of [" + weight.dim(0) + "]",
        "The bias has an element for each output feature.");
    List<Integer> y = new ArrayList<>(leading.dims());
    y.add(weight.dim(0));
    return List.of(x.as(must.sized(y)));
  }

  private static String fix(Shape x, Shape leading, int features) {
    return x.tail().size() == features
        ? "Flatten before: " + x + " has the features in several axes."
        : "Each row of "
            + leading
            + " has "
            + x.dim(x.rank() - 1)
            + " features: check the previous"
            + " cell's output features, or flatten before.";
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    return in.get(0).size() * in.get(1).dim(0);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.ops().rows(b.d());
    List<Tensor> gradients = new ArrayList<>();
    gradients.add(b.ops().run(new MatMul(false, false, b.wide(0)), b.d(), b.in(1)));
    gradients.add(b.ops().run(new MatMul(true, false, b.wide(1)), d, b.ops().rows(b.in(0))));
    if (b.in().size() == 3) {
      gradients.add(b.ops().sum(d, b.wide(2), 0));
    }
    return gradients;
  }
}
