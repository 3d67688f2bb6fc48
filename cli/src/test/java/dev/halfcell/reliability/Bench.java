package dev.halfcell.reliability;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.stream.DoubleStream;

/** A backend and a scope to run single ops in. */
record Bench(Backend backend, TensorScope scope) implements AutoCloseable {
  static final CellPath PATH = new CellPath("/net/cell");

  static Bench on(String device) {
    return new Bench(Backends.open(device), TensorScope.open());
  }

  Ops ops() {
    return new Ops(backend.eager(scope), PATH);
  }

  /** Runs an op, as a cell at {@link #PATH} would. */
  Tensor run(Op op, Tensor... in) {
    return ops().run(op, in);
  }

  /** A tensor of this dtype, filled with 0.5. */
  Tensor of(DType dtype, int... dims) {
    double[] values = DoubleStream.generate(() -> 0.5).limit(Shape.of(dims).size()).toArray();
    return Tensor.of(scope, TensorSpec.of(dtype, dims), values);
  }

  Tensor floats(int... dims) {
    return of(DType.FP32, dims);
  }

  Tensor longs(double... values) {
    return Tensor.of(scope, TensorSpec.of(DType.INT64, values.length), values);
  }

  @Override
  public void close() {
    scope.close();
    backend.close();
  }
}
