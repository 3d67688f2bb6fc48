package dev.halfcell.op.pooling;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * d → dx: the gradient of {@link AvgPool2d}.
 *
 * <p>Shapes: d [N, C, H', W'], dx is {@code input}.
 *
 * @param input the shape of x
 */
public record AvgPool2dGradient(Windows2d windows, boolean countPadding, Shape input)
    implements Pooling {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1);
    Shape pooled = Pooling.pooled(this, windows, in, input, at);
    must.shape(
        in.getFirst().shape().equals(pooled),
        "d of " + pooled,
        "Pass the gradient of the pooling's output.");
    return List.of(in.getFirst().as(input));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
