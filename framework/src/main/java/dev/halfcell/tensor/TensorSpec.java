package dev.halfcell.tensor;

/** Dtype and shape: all that shape rules and plans look at. */
public record TensorSpec(DType dtype, Shape shape) {
  /** A spec of this dtype and these sizes; no sizes make a scalar. */
  public static TensorSpec of(DType dtype, int... dims) {
    return new TensorSpec(dtype, Shape.of(dims));
  }

  /** The same shape in another dtype. */
  public TensorSpec as(DType other) {
    return new TensorSpec(other, shape);
  }

  /** The same dtype in another shape. */
  public TensorSpec as(Shape other) {
    return new TensorSpec(dtype, other);
  }

  /** The size of an axis. */
  public int dim(int axis) {
    return shape.dim(axis);
  }

  /** The number of axes. */
  public int rank() {
    return shape.rank();
  }

  /** The number of elements. */
  public long size() {
    return shape.size();
  }

  /** The storage of all elements, in bytes. */
  public long bytes() {
    return size() * dtype.bytes();
  }

  @Override
  public String toString() {
    return dtype.label() + shape;
  }
}
