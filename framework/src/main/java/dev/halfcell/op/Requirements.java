package dev.halfcell.op;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;

/**
 * What a shape rule demands of the inputs it was given; a demand that is not met throws, naming op,
 * cell and inputs.
 */
public record Requirements(Op op, List<TensorSpec> in, CellPath at) {
  /** Exactly {@code count} inputs. */
  public Requirements count(int count) {
    return count(count, count);
  }

  /** At least {@code least} and at most {@code most} inputs. */
  public Requirements count(int least, int most) {
    String wanted = least == most ? String.valueOf(least) : least + " to " + most;
    return shape(
        in.size() >= least && in.size() <= most,
        wanted + " inputs",
        "Pass the inputs that the op lists.");
  }

  /** A scalar of each of these dtypes, and no other inputs. */
  public Requirements scalars(DType... dtypes) {
    count(dtypes.length);
    for (int i = 0; i < dtypes.length; i++) {
      dtype(i, i + 1, dtypes[i]).rank(i, 0, "[]");
    }
    return this;
  }

  /** Input {@code index} has {@code rank} axes. */
  public Requirements rank(int index, int rank, String axes) {
    return shape(
        in.get(index).rank() == rank,
        "input " + index + " of shape " + axes,
        "Reshape the input, or check the previous cell's output.");
  }

  /** Input {@code index} has an axis of this number. */
  public Requirements axis(int index, int axis) {
    int rank = in.get(index).rank();
    return shape(
        axis >= 0 && axis < rank,
        "an input " + index + " with an axis " + axis,
        "Its axes are counted from 0, the last one is " + (rank - 1) + ".");
  }

  /** Input {@code index} has {@code rank} axes or more. */
  public Requirements rankAtLeast(int index, int rank, String axes) {
    return shape(
        in.get(index).rank() >= rank,
        "input " + index + " of shape " + axes,
        "Reshape the input, or check the previous cell's output.");
  }

  /** The shape of these sizes, each at least 1; demands that they make no more than a shape has. */
  public Shape sized(long... dims) {
    shape(
        Shape.countable(dims),
        "a result of at most " + Integer.MAX_VALUE + " elements, not " + Arrays.toString(dims),
        "Take a smaller batch, or smaller sizes.");
    return Shape.of(Arrays.stream(dims).mapToInt(Math::toIntExact).toArray());
  }

  /** The same of a list. */
  public Shape sized(List<Integer> dims) {
    return sized(dims.stream().mapToLong(Integer::longValue).toArray());
  }

  /** Something that must hold of the shapes. */
  public Requirements shape(boolean holds, String expected, String fix) {
    if (!holds) {
      throw new ShapeException(problem(expected, fix));
    }
    return this;
  }

  /** Input {@code index} is a floating-point tensor. */
  public Requirements floating(int index) {
    return dtype(
        in.get(index).dtype().floating(), "a floating-point input " + index, "Cast the input.");
  }

  /** Inputs {@code from} (inclusive) to {@code to} (exclusive) have the dtype {@code dtype}. */
  public Requirements dtype(int from, int to, DType dtype) {
    for (int i = from; i < to; i++) {
      dtype(
          in.get(i).dtype() == dtype,
          "input " + i + " in " + dtype.label(),
          "Cast the input, or let a precision plan do it.");
    }
    return this;
  }

  /** Input {@code index} holds whole numbers that name something. */
  public Requirements integer(int index) {
    DType dtype = in.get(index).dtype();
    return dtype(
        dtype == DType.INT64 || dtype == DType.INT32,
        "input " + index + " in int64 or int32",
        "Labels and sample numbers are integers.");
  }

  /** Something that must hold of the dtypes. */
  public Requirements dtype(boolean holds, String expected, String fix) {
    if (!holds) {
      throw new DTypeException(problem(expected, fix));
    }
    return this;
  }

  private Problem problem(String expected, String fix) {
    return new Problem(op.label(), at.text(), expected, String.valueOf(in), fix);
  }
}
