package dev.halfcell.gpu;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.List;
import java.util.Optional;

/** Runs ops on the emulated GPU and on the reference. */
final class BesideReference implements AutoCloseable {
  private final TensorScope scope = TensorScope.guarded();
  private final ReferenceBackend reference = new ReferenceBackend();
  private final GpuBackend gpu;

  BesideReference() {
    EmulatedGpu rig = EmulatedGpu.build();
    rig.recover();
    gpu = GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
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
