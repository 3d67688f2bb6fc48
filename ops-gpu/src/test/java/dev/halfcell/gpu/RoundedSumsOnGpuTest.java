package dev.halfcell.gpu;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Sums that are rounded after each product, on the machine's own GPU. */
@Tag("gpu")
final class RoundedSumsOnGpuTest extends RoundedSumsContract {
  @Override
  GpuBackend openBackend() {
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }
}
