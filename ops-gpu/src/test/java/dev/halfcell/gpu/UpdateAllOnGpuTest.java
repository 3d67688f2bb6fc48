package dev.halfcell.gpu;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** All parameters moved together, on the machine's own GPU. */
@Tag("gpu")
final class UpdateAllOnGpuTest extends UpdateAllContract {
  @Override
  GpuBackend openBackend() {
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }
}
