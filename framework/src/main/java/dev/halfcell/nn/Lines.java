package dev.halfcell.nn;

import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.function.UnaryOperator;

/** Lines [N, C, L] as images [N, C, 1, L] with one row, so that 2-d ops serve them. */
final class Lines {
  private Lines() {}

  /** What {@code op} makes of the image with one row, as a line again. */
  static Tensor through(Forward f, Tensor line, UnaryOperator<Tensor> op) {
    f.rank(line, 3, "[N, C, L]");
    Shape x = line.shape();
    Tensor y = op.apply(f.ops().reshape(line, Shape.of(x.dim(0), x.dim(1), 1, x.dim(2))));
    return f.ops().reshape(y, Shape.of(y.spec().dim(0), y.spec().dim(1), y.spec().dim(3)));
  }
}
