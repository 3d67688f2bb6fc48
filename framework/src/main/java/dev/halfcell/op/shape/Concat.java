package dev.halfcell.op.shape;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The inputs one after the other along an axis.
 *
 * <p>Shapes: at least one input, alike but along {@code axis}, of one dtype. Gradient: the {@link
 * Slice} of d that each input became.
 */
public record Concat(int axis) implements Rearrangement {
  public Concat {
    ArgumentException.require(axis >= 0, "Concat axis", "an axis, counted from 0", axis);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1, Integer.MAX_VALUE);
    TensorSpec first = in.getFirst();
    must.axis(0, axis).dtype(1, in.size(), first.dtype());
    must.shape(
        in.stream().allMatch(x -> x.rank() == first.rank() && rest(x).equals(rest(first))),
        "inputs alike but along axis " + axis,
        "Reshape or slice the inputs.");
    long[] sizes = first.shape().dims().stream().mapToLong(Integer::longValue).toArray();
    sizes[axis] = in.stream().mapToLong(x -> x.dim(axis)).sum();
    return List.of(first.as(must.sized(sizes)));
  }

  private List<Integer> rest(TensorSpec x) {
    return IntStream.range(0, x.rank()).filter(a -> a != axis).map(x::dim).boxed().toList();
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    List<Tensor> gradients = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < b.in().size(); i++) {
      int size = b.in(i).spec().dim(axis);
      gradients.add(b.ops().slice(b.d(i), axis, start, size));
      start += size;
    }
    return gradients;
  }
}
