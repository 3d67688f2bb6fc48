package dev.halfcell.op.pooling;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, position) → dx: the gradient of {@link MaxPool2d}; where windows overlap, the gradients of
 * one pixel are summed.
 *
 * <p>Shapes: d and position [N, C, H', W'], dx is {@code input}.
 *
 * @param input the shape of x
 */
public record MaxPool2dGradient(Windows2d windows, Shape input) implements Pooling {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2);
    must.dtype(1, 2, MaxPool2d.position(windows, input));
    Shape pooled = Pooling.pooled(this, windows, in, input, at);
    must.shape(
        in.get(0).shape().equals(pooled) && in.get(1).shape().equals(pooled),
        "d and position of " + pooled,
        "Pass the gradient and the positions of the pooling.");
    return List.of(in.getFirst().as(input));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
