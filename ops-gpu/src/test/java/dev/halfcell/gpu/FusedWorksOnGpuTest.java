package dev.halfcell.gpu;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Fused works, on the machine's own GPU. */
@Tag("gpu")
final class FusedWorksOnGpuTest extends FusedWorksContract {
  @Override
  GpuBackend openBackend() {
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }
}
