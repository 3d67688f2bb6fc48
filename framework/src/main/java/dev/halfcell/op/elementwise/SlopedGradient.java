package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, a, b) → d · slope(input, a, b), of the shape of d: the gradient of a {@link Sloped} op by one
 * of its inputs, before it is summed over repeated axes.
 */
public record SlopedGradient(Sloped of, int input) implements Elementwise {
  public SlopedGradient {
    ArgumentException.require(
        input == 0 || input == 1, "SlopedGradient", "input 0 or input 1", input);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(3).floating(0).dtype(1, 3, in.getFirst().dtype());
    Shape shape = Broadcast.require(must, 1, 2);
    must.shape(
        in.getFirst().shape().equals(shape), "d of " + shape, "Pass the gradient of the output.");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
