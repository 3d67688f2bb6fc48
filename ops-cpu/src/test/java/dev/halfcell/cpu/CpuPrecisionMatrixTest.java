package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PrecisionMatrixContract;

/** Every combination of level, loss scale, normalisation and half. */
final class CpuPrecisionMatrixTest extends PrecisionMatrixContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
