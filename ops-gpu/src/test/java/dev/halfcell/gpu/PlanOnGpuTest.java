package dev.halfcell.gpu;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** A training step by own kernels on the machine's own GPU. */
@Tag("gpu")
final class PlanOnGpuTest extends DevicePlanContract {
  @Override
  GpuBackend openBackend() {
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }
}
