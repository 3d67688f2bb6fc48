package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (a, b, condition) → y = a where the condition holds, else b, where an axis that is missing or of
 * size 1 is repeated. What is not taken leaves no trace: a NaN there does not count.
 *
 * <p>Shapes: all three broadcast to y. Dtypes: a and b alike, floating, and y as they are; the
 * condition BOOL. Gradient: {@link WhereGradient}, summed over the axes that were repeated. Source:
 * NumPy, {@code numpy.where}.
 */
public record Where() implements Elementwise {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at)
            .count(3)
            .floating(0)
            .dtype(1, 2, in.getFirst().dtype())
            .dtype(2, 3, DType.BOOL);
    return List.of(in.getFirst().as(Broadcast.require(must, 0, 1, 2)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(gradient(b, 0), gradient(b, 1));
  }

  private static Tensor gradient(Backward b, int input) {
    Tensor taken = b.ops().run(new WhereGradient(input == 0), b.d(input), b.in(2));
    Shape to = b.in(input).shape();
    return Broadcast.undo(b.ops(), taken, to, b.wide(input));
  }
}
