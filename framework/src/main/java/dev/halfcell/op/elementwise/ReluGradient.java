package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** (d, y) → d where y &gt; 0, else 0: the gradient of {@link Relu}, y being its output. */
public record ReluGradient() implements Elementwise {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(2)
        .floating(0)
        .dtype(1, 2, in.getFirst().dtype())
        .shape(
            in.getFirst().equals(in.getLast()), "d and y of one shape", "Pass the output of Relu.");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
