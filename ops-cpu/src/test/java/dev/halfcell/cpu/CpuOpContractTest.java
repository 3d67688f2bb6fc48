package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OpContract;

/** Every op, on two threads, so that each of them works on a part. */
final class CpuOpContractTest extends OpContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
