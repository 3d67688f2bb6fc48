package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.SureLossContract;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Losses near 0, on the machine's own GPU. */
@Tag("gpu")
final class SureLossOnGpuTest extends SureLossContract {
  @Override
  protected Backend open() {
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }
}
