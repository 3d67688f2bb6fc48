package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * y = a · b, with the shapes of {@link Binary}. Gradient: da = d · b and db = d · a, summed over
 * the axes that were repeated; each needs the other input alone.
 */
public record Mul() implements Binary {
  @Override
  public double value(double a, double b) {
    return a * b;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(gradient(b, 0, b.in(1)), gradient(b, 1, b.in(0)));
  }

  private static Tensor gradient(Backward b, int input, Tensor other) {
    Tensor d = b.d(input);
    Tensor product = b.ops().mul(d, b.ops().cast(other, d.dtype()));
    return Broadcast.undo(b.ops(), product, b.in(input).shape(), b.wide(input));
  }
}
