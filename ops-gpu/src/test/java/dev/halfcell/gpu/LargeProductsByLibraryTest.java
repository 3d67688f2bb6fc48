package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Large products by cuBLASLt, on the emulated GPU. */
@Tag("rig")
final class LargeProductsByLibraryTest extends LargeProductsContract {
  private final EmulatedGpu rig = EmulatedGpu.build();
  private final EmulatedLibrary library = EmulatedLibrary.cublasLt();

  @Override
  Backend open() {
    rig.recover();
    library.complaint();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of(library.folder())));
  }

  @AfterEach
  void theLibraryWasAskedForNothingThatCannotBe() {
    assertEquals("", library.complaint());
  }
}
