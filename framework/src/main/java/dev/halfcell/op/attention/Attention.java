package dev.halfcell.op.attention;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Attention. Scores and their softmax are in FP32 at least, and the result is rounded once. */
public sealed interface Attention extends Op
    permits ScaledDotProductAttention, ScaledDotProductAttentionGradient {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  /** What must hold of queries, keys and values, the inputs from number {@code q} on. */
  static Requirements requireShapes(Op op, List<TensorSpec> in, int q, CellPath at) {
    Requirements must = new Requirements(op, in, at).floating(q);
    must.dtype(q + 1, q + 3, in.get(q).dtype());
    must.rank(q, 4, "[N, heads, T, D]").rank(q + 1, 4, "[N, heads, S, D]");
    must.rank(q + 2, 4, "[N, heads, S, E]");
    Shape queries = in.get(q).shape();
    Shape keys = in.get(q + 1).shape();
    return must.shape(
            keys.head(2).equals(queries.head(2)) && keys.dim(3) == queries.dim(3),
            "keys of [" + queries.dim(0) + ", " + queries.dim(1) + ", S, " + queries.dim(3) + "]",
            "Queries and keys have the same samples, heads and features.")
        .shape(
            in.get(q + 2).shape().head(3).equals(keys.head(3)),
            "a value for each key of " + keys.head(3),
            "Keys and values come from the same sequence.");
  }

  /** The shape of the scores: [N, heads, T, S]. */
  static Shape scores(Requirements must, TensorSpec queries, TensorSpec keys) {
    return must.sized(queries.dim(0), queries.dim(1), queries.dim(2), keys.dim(2));
  }

  /** What must hold of a mask, if there is one at {@code index}. */
  static void requireMask(Requirements must, int index, Shape scores) {
    if (must.in().size() > index) {
      TensorSpec mask = must.in().get(index);
      must.dtype(
          mask.dtype() == DType.BOOL,
          "a mask of truth values",
          "True stands for a key that takes part; compare to make truth values of numbers.");
      must.rank(index, 4, "[N or 1, heads or 1, T or 1, S or 1]");
      for (int axis = 0; axis < 4; axis++) {
        int size = mask.dim(axis);
        must.shape(
            size == 1 || size == scores.dim(axis),
            "a mask that can be repeated to " + scores,
            "Each axis is equal or 1.");
      }
    }
  }
}
