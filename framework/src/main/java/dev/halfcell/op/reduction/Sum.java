package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * y = the sum of x over {@code axes}, which disappear. Gradient: d repeated along them.
 *
 * @param wide whether the accumulator leaves unrounded, in FP32: the gradient of a parameter
 */
public record Sum(List<Integer> axes, boolean wide) implements Reduction {
  public Sum {
    axes = List.copyOf(axes);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1).floating(0);
    TensorSpec x = in.getFirst();
    must.shape(
        axes.stream().allMatch(axis -> axis >= 0 && axis < x.rank())
            && new HashSet<>(axes).size() == axes.size(),
        "axes of the input, each once, not " + axes,
        "Axes are counted from 0.");
    DType dtype = wide ? x.dtype().wide() : x.dtype();
    int[] kept =
        IntStream.range(0, x.rank()).filter(axis -> !axes.contains(axis)).map(x::dim).toArray();
    return List.of(new TensorSpec(dtype, Shape.of(kept)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.ops().cast(b.d(), b.wide(0) ? b.in(0).dtype().wide() : b.in(0).dtype());
    return List.of(b.ops().repeat(d, b.in(0).shape(), axes));
  }
}
