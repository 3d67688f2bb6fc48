package dev.halfcell.op.shape;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * x repeated along new axes: element (i₀, i₁, ...) of y is the element of x at the positions of the
 * axes that are not new.
 *
 * <p>Dtype: floating, y as x. Gradient: d summed over the new axes.
 *
 * @param to the shape of y
 * @param axes the axes of y that x does not have
 */
public record Repeat(Shape to, List<Integer> axes) implements Rearrangement {
  public Repeat {
    axes = List.copyOf(axes);
    ArgumentException.require(
        axes.stream().allMatch(axis -> axis >= 0 && axis < to.rank())
            && axes.stream().distinct().count() == axes.size(),
        "Repeat axes",
        "axes of " + to + ", each once",
        axes);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1).floating(0);
    List<Integer> kept = new ArrayList<>(to.dims());
    axes.stream().sorted(Collections.reverseOrder()).forEach(axis -> kept.remove((int) axis));
    must.shape(
        in.getFirst().shape().dims().equals(kept),
        "x of " + kept,
        "x has the axes of y that are not new.");
    return List.of(in.getFirst().as(to));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    int[] summed = IntStream.range(0, to.rank()).filter(axes::contains).toArray();
    return List.of(b.ops().sum(b.d(), b.wide(0), summed));
  }
}
