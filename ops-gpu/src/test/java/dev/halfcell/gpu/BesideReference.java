package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Runs ops on a GPU and on the reference, and closes both. */
final class BesideReference implements AutoCloseable {
  private final TensorScope scope = TensorScope.guarded();
  private final ReferenceBackend reference = new ReferenceBackend();
  private final Backend gpu;

  BesideReference(Backend gpu) {
    this.gpu = gpu;
  }

  TensorScope scope() {
    return scope;
  }

  List<Tensor> right(Op op, Tensor... in) {
    return reference.eager(scope).execute(op, List.of(in), CellPath.ROOT);
  }

  List<Tensor> got(Op op, Tensor... in) {
    return gpu.eager(scope).execute(op, List.of(in), CellPath.ROOT);
  }

  /** A tensor of -1, 0 and 1: every order of summation gives the same. */
  Tensor drawn(RandomGenerator random, DType dtype, Shape shape) {
    double[] values = new double[Math.toIntExact(shape.size())];
    Arrays.setAll(values, _ -> random.nextInt(-1, 2));
    return Tensor.of(scope, new TensorSpec(dtype, shape), values);
  }

  /** Whether the first result of the GPU is the reference's. */
  void assertSame(Op op, Tensor... in) {
    Tensor want = right(op, in).getFirst();
    Tensor got = got(op, in).getFirst();
    String what = op + " of " + Tensor.specs(List.of(in));
    assertEquals(want.spec(), got.spec(), what);
    assertArrayEquals(want.toArray(), got.toArray(), what); // whatever bits no number has
  }

  @Override
  public void close() {
    gpu.close();
    reference.close();
    scope.close();
  }
}
