package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RecurrentContract;
import org.junit.jupiter.api.Tag;

/** Recurrent layers in half, where states are rounded between steps. */
@Tag("either")
final class GpuRecurrentTest extends RecurrentContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
