package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import org.junit.jupiter.api.Tag;

/** Large products by own kernels. */
@Tag("either")
final class LargeProductsTest extends LargeProductsContract {
  @Override
  Backend open() {
    return TestedGpu.open();
  }
}
