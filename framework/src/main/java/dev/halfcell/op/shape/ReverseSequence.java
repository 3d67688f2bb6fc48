package dev.halfcell.op.shape;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, lengths) → x with the first lengths[n] steps of sample n in reverse order; the steps after
 * those stay where they are.
 *
 * <p>Shapes: x with a batch axis of N and a time axis of T, of any dtype; lengths INT32 [N], each
 * from 0 to T, or {@link DataException}. Gradient: the same op on d. Source: TensorFlow, {@code
 * tf.reverse_sequence}.
 */
public record ReverseSequence(int batchAxis, int timeAxis) implements Rearrangement {
  public ReverseSequence {
    ArgumentException.require(
        batchAxis >= 0 && timeAxis >= 0 && batchAxis != timeAxis,
        "ReverseSequence axes",
        "two axes, counted from 0",
        "batch axis " + batchAxis + ", time axis " + timeAxis);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(2)
        .axis(0, batchAxis)
        .axis(0, timeAxis)
        .dtype(1, 2, DType.INT32)
        .rank(1, 1, "[N]")
        .shape(
            in.get(0).dim(batchAxis) == in.get(1).dim(0),
            "a length for each sample",
            "Pass the lengths of this batch's sequences.");
    return in.subList(0, 1);
  }

  /** Where step {@code step} of a sequence of this length comes from. */
  public static int source(int step, int length) {
    return step < length ? length - 1 - step : step;
  }

  /** Throws unless {@code length} is the length of a sequence of at most {@code steps} steps. */
  public static int requireLength(Op op, CellPath at, double length, int sample, int steps) {
    if (length < 0 || length > steps) {
      throw new DataException(
          new Problem(
              op.label(),
              at.text(),
              "lengths from 0 to " + steps,
              "length %.0f of sample %d".formatted(length, sample),
              "Pad the sequences to the longest of them."));
    }
    return (int) length;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().run(this, b.d(0), b.in(1)));
  }
}
