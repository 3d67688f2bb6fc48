package dev.halfcell.gpu;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Updates of many sizes, on the machine's own GPU. */
@Tag("gpu")
final class UpdatesOnGpuTest extends UpdatesContract {
  @Override
  GpuBackend openBackend() {
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }
}
