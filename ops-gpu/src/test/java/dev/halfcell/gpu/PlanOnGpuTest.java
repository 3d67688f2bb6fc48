package dev.halfcell.gpu;

import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** A training step on the machine's own GPU. */
@Tag("gpu")
final class PlanOnGpuTest extends PlanContract {
  @Override
  GpuBackend openBackend() {
    return GpuBackend.open(Optional.empty());
  }
}
