package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.List;

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

  @Override
  public void close() {
    gpu.close();
    reference.close();
    scope.close();
  }
}
