package dev.halfcell.op.convolution;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, x) → dweight: the gradient of {@link Conv2d} by its weight, summed over the batch and all
 * windows.
 *
 * <p>Shapes: d [N, O, H', W'], x [N, C, H, W], dweight is {@code weight}.
 *
 * @param weight the shape of the weight
 * @param wide whether the accumulator leaves unrounded, in FP32: the gradient of a parameter
 */
public record Conv2dWeightGradient(Conv2dGeometry geometry, Shape weight, boolean wide)
    implements Convolution {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(2).floating(0).dtype(1, 2, in.getFirst().dtype());
    must.rank(0, 4, "[N, O, H', W']").rank(1, 4, "[N, C, H, W]");
    TensorSpec forward =
        new Conv2d(geometry).infer(List.of(in.get(1), in.getFirst().as(weight)), at).getFirst();
    must.shape(
        forward.equals(in.getFirst()),
        "d of " + forward.shape(),
        "Pass the gradient of the convolution's output.");
    DType dtype = in.getFirst().dtype();
    return List.of(new TensorSpec(wide ? dtype.wide() : dtype, weight));
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    return new Conv2d(geometry).multiplyAdds(List.of(in.get(1), in.getFirst().as(weight)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
