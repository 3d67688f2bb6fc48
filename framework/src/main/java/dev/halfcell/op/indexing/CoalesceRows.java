package dev.halfcell.op.indexing;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * (values, indices) → sums, rows, count: the values of each index summed, in the order of the
 * indices, in FP32 at least. {@code rows} are the indices that occur, each once, ascending; {@code
 * count} is how many; of sums and rows the places from there on are 0.
 *
 * <p>Shapes: indices of K elements in all, values of the shape of the indices and then D; sums [K,
 * D], FP32 for values in half; rows INT64 [K], count an INT64 scalar: as much room as there are
 * look-ups, whatever they are.
 *
 * @param size how many rows the table has
 * @param ignored the index that adds nothing, if there is one
 */
public record CoalesceRows(int size, OptionalInt ignored) implements Indexing {
  public CoalesceRows {
    ArgumentException.require(size >= 1, "CoalesceRows size", "at least 1", size);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2).floating(0).integer(1);
    TensorSpec values = in.get(0);
    List<Integer> looked = new ArrayList<>(in.get(1).shape().dims());
    must.shape(
        values.rank() == looked.size() + 1
            && values.shape().dims().subList(0, looked.size()).equals(looked),
        "a row of values for each of the indices " + looked,
        "Pass the gradient of what was looked up.");
    int lookUps = Math.toIntExact(in.get(1).size());
    int width = values.dim(looked.size());
    return List.of(
        new TensorSpec(values.dtype().wide(), Shape.of(lookUps, width)),
        TensorSpec.of(DType.INT64, lookUps),
        TensorSpec.of(DType.INT64));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
