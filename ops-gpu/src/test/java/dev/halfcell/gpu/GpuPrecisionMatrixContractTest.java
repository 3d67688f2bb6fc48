package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PrecisionMatrixContract;

final class GpuPrecisionMatrixContractTest extends PrecisionMatrixContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
