package dev.halfcell.autodiff;

import dev.halfcell.op.Ops;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.function.UnaryOperator;

/** The gradient of a tensor: all of it, or the rows of it that are not zero. */
public sealed interface Gradient {
  /** What it is made of: what is unscaled, checked, measured and clipped. All else is zero. */
  Tensor values();

  /**
   * The same gradient with its values changed by something that works place by place and leaves
   * zeros zeros, such as unscaling and clipping by a norm.
   */
  Gradient map(UnaryOperator<Tensor> change);

  /** All of it as one tensor. */
  Tensor dense(Ops ops);

  /** All of it. */
  record Dense(Tensor values) implements Gradient {
    @Override
    public Gradient map(UnaryOperator<Tensor> change) {
      return new Dense(change.apply(values));
    }

    @Override
    public Tensor dense(Ops ops) {
      return values;
    }
  }

  /**
   * Rows of the gradient of a table, as {@link dev.halfcell.op.indexing.CoalesceRows} yields them.
   *
   * @param values [K, D] in FP32, zero from {@code count} on
   * @param rows INT64 [K]: which row of the table each is, each once
   * @param count how many there are, an INT64 scalar
   * @param table the shape of the table, [V, D]
   */
  record Rows(Tensor values, Tensor rows, Tensor count, Shape table) implements Gradient {
    @Override
    public Rows map(UnaryOperator<Tensor> change) {
      return new Rows(change.apply(values), rows, count, table);
    }

    @Override
    public Tensor dense(Ops ops) {
      return ops.run(new ScatterAdd(table, 0, true), values, rows);
    }
  }
}
