package dev.halfcell.gpu;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Casts between all dtypes, on the machine's own GPU. */
@Tag("gpu")
final class CastOnGpuTest extends CastContract {
  @Override
  GpuBackend openBackend() {
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }
}
