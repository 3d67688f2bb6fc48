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
 * (d, position) → dx of shape {@code input}: each d at its position along {@code axes}, 0
 * elsewhere: the gradient of {@link Extreme}.
 */
public record ExtremeGradient(Shape input, List<Integer> axes) implements Reduction {
  public ExtremeGradient {
    axes = List.copyOf(axes);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.INFER;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(2).floating(0).dtype(1, 2, DType.INT64);
    TensorSpec d = in.getFirst();
    Shape kept = Reduction.without(new Requirements(this, List.of(d.as(input)), at), axes);
    must.shape(
        d.shape().equals(kept) && in.get(1).shape().equals(kept),
        "d and position of " + kept,
        "Pass the gradient of the extremes, and their positions.");
    return List.of(d.as(input));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
