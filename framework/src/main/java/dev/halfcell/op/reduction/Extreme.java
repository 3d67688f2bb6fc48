package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x) → y, position: the largest or smallest element of x over {@code axes}, which disappear, and
 * where along them it stood, the last axis fastest: over one axis, the arg max. Of equal elements
 * the first counts; a NaN goes before every number.
 *
 * <p>Dtypes: y as x, floating; position INT64. Gradient: d to the element at the position, 0 to all
 * others.
 *
 * @param largest whether the largest is meant, else the smallest
 */
public record Extreme(List<Integer> axes, boolean largest) implements Reduction {
  public Extreme {
    axes = List.copyOf(axes);
  }

  /** Whether {@code x} takes the place of {@code best}, which stood before it. */
  public boolean replaces(double x, double best) {
    return (largest ? x > best : x < best) || Double.isNaN(x) && !Double.isNaN(best);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.INFER;
  }

  @Override
  public String label() {
    return largest ? "Max" : "Min";
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1).floating(0);
    Shape kept = Reduction.without(must, axes);
    return List.of(in.getFirst().as(kept), new TensorSpec(DType.INT64, kept));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    ExtremeGradient back = new ExtremeGradient(b.in(0).shape(), axes);
    return List.of(b.ops().run(back, b.d(0), b.out(1)));
  }
}
