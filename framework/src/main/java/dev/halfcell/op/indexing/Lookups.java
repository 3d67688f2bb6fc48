package dev.halfcell.op.indexing;

import dev.halfcell.op.Ops;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.OptionalInt;

/** The part of the vocabulary that is about rows of tables; {@code ops} executes. */
public record Lookups(Ops ops) {
  /** {@link Gather}. */
  public Tensor gather(Tensor x, Tensor indices, int axis) {
    return ops.run(new Gather(axis), x, indices);
  }

  /** {@link ScatterAdd} into zeros of a shape. */
  public Tensor scatterAdd(Tensor values, Tensor indices, Shape to, int axis) {
    return ops.run(new ScatterAdd(to, axis, false), values, indices);
  }

  /** {@link OneHot} of ones and zeros. */
  public Tensor oneHot(Tensor indices, int depth, DType dtype) {
    return ops.run(new OneHot(depth, 1, 0, dtype), indices);
  }

  /** {@link Embedding} with a dense gradient and no padding index. */
  public Tensor embedding(Tensor table, Tensor indices) {
    return ops.run(new Embedding(OptionalInt.empty(), false), table, indices);
  }
}
