package dev.halfcell.op.shape;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The axes of x in another order: axis i of y is axis permutation[i] of x.
 *
 * <p>Shapes: x of rank {@code permutation.size()}, of any dtype. Gradient: d with its axes put
 * back. Source: NumPy, {@code numpy.transpose}.
 *
 * @param permutation each axis of x once
 */
public record Transpose(List<Integer> permutation) implements Rearrangement {
  public Transpose {
    permutation = List.copyOf(permutation);
    List<Integer> all = IntStream.range(0, permutation.size()).boxed().toList();
    ArgumentException.require(
        permutation.stream().sorted().toList().equals(all),
        "Transpose axes",
        "each axis from 0 to " + (permutation.size() - 1) + " once",
        permutation);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(1)
        .rank(0, permutation.size(), "as many axes as " + permutation);
    return List.of(in.getFirst().as(moved(in.getFirst().shape())));
  }

  private Shape moved(Shape x) {
    return Shape.of(permutation.stream().mapToInt(x::dim).toArray());
  }

  /** What undoes this. */
  public Transpose inverse() {
    return new Transpose(
        IntStream.range(0, permutation.size()).map(permutation::indexOf).boxed().toList());
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().run(inverse(), b.d(0)));
  }
}
