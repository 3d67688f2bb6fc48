package dev.halfcell.op.linear;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * y = x · weightᵀ + bias, rounded once; the bias may be left out.
 *
 * <p>Shapes: x [N, I], weight [O, I], bias [O], y [N, O]. Gradient: dx = d · weight, dweight = dᵀ ·
 * x, dbias = Σ over N of d.
 */
public record Dense() implements Linear {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at)
            .count(2, 3)
            .floating(0)
            .dtype(1, in.size(), in.getFirst().dtype());
    must.rank(0, 2, "[N, I]").rank(1, 2, "[O, I]");
    TensorSpec x = in.get(0);
    TensorSpec weight = in.get(1);
    must.shape(
        x.dim(1) == weight.dim(1),
        weight.dim(1) + " input features",
        "Check the previous cell's output features, or flatten before.");
    must.shape(
        in.size() == 2 || in.get(2).equals(TensorSpec.of(x.dtype(), weight.dim(0))),
        "a bias of [" + weight.dim(0) + "]",
        "The bias has an element for each output feature.");
    return List.of(TensorSpec.of(x.dtype(), x.dim(0), weight.dim(0)));
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    return in.get(0).dim(0) * in.get(1).size();
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    List<Tensor> gradients = new ArrayList<>();
    gradients.add(b.ops().run(new MatMul(false, false, b.wide(0)), b.d(), b.in(1)));
    gradients.add(b.ops().run(new MatMul(true, false, b.wide(1)), b.d(), b.in(0)));
    if (b.in().size() == 3) {
      gradients.add(b.ops().sum(b.d(), b.wide(2), 0));
    }
    return gradients;
  }
}
