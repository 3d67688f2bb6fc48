package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * A {@link Binary} op whose gradient by an input is d times a slope that depends on both inputs,
 * summed over the axes along which the input was repeated.
 */
public sealed interface Sloped extends Binary permits Div, Maximum, Minimum, PRelu {
  /** The derivative by input 0 or 1 at one place. */
  double slope(int input, double a, double b);

  @Override
  default List<Tensor> gradient(Backward b) {
    return List.of(gradient(b, 0), gradient(b, 1));
  }

  private Tensor gradient(Backward b, int input) {
    Tensor d = b.d(input);
    Tensor times =
        b.ops()
            .run(
                new SlopedGradient(this, input),
                d,
                b.ops().cast(b.in(0), d.dtype()),
                b.ops().cast(b.in(1), d.dtype()));
    return Broadcast.undo(b.ops(), times, b.in(input).shape(), b.wide(input));
  }
}
