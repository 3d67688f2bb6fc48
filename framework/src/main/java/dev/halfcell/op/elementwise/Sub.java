package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * y = a − b, with the shapes of {@link Binary}. Gradient: da is d and db is −d, summed over the
 * axes that were repeated.
 */
public record Sub() implements Binary {
  @Override
  public double value(double a, double b) {
    return a - b;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(
        Broadcast.undo(b.ops(), b.d(0), b.in(0).shape(), b.wide(0)),
        b.ops().neg(Broadcast.undo(b.ops(), b.d(1), b.in(1).shape(), b.wide(1))));
  }
}
