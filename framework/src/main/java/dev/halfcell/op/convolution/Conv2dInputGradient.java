package dev.halfcell.op.convolution;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, weight) → dx: the gradient of {@link Conv2d} by its input, each d spread over the window it
 * came from.
 *
 * <p>Shapes: d [N, O, H', W'], weight [O, C / groups, kH, kW], dx is {@code input}.
 *
 * @param input the shape of x
 */
public record Conv2dInputGradient(Conv2dGeometry geometry, Shape input) implements Convolution {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(2).floating(0).dtype(1, 2, in.getFirst().dtype());
    must.rank(0, 4, "[N, O, H', W']").rank(1, 4, "[O, C / groups, kH, kW]");
    TensorSpec forward =
        new Conv2d(geometry).infer(List.of(in.getFirst().as(input), in.get(1)), at).getFirst();
    must.shape(
        forward.equals(in.getFirst()),
        "d of " + forward.shape(),
        "Pass the gradient of the convolution's output.");
    return List.of(in.getFirst().as(input));
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    return new Conv2d(geometry).multiplyAdds(List.of(in.getFirst().as(input), in.get(1)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
