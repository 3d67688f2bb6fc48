package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = value(x) at each place, a function of one number.
 *
 * <p>Shapes: any, y as x. Gradient: {@link CurveGradient}, d · derivative, which keeps only one of
 * x and y.
 */
public sealed interface Curve extends Elementwise
    permits Abs, Clip, Exp, Gelu, HardSwish, LeakyRelu, Log, Pow, Rsqrt, Sigmoid, Silu, Sqrt, Tanh {
  /** What the derivative is computed from. */
  enum Kept {
    /** x. */
    INPUT,
    /** y: what follows needs it too more often than not. */
    OUTPUT
  }

  /** The result at one place, before it is rounded. */
  double value(double x);

  /** What {@link #derivative} takes. */
  Kept kept();

  /** dy / dx at one place, from x or y as {@link #kept} says. */
  double derivative(double kept);

  @Override
  default List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).floating(0);
    return in;
  }

  @Override
  default List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    Tensor kept =
        switch (kept()) {
          case INPUT -> b.in(0);
          case OUTPUT -> b.out(0);
        };
    return List.of(b.ops().run(new CurveGradient(this), d, b.ops().cast(kept, d.dtype())));
  }
}
