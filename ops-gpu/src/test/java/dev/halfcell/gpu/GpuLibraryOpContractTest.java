package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import dev.halfcell.testkit.OpContract;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * Every op that the GPU backend computes, matrix products and convolutions by libraries. Others
 * have the kernels that {@link GpuOpContractTest} tries by {@code -Prig}, as do {@link
 * LargeProductsTest}, {@link GpuLibraryPlanTest} and {@link GpuConvolutionLibraryTest} for the
 * libraries.
 */
@Tag("slow")
final class GpuLibraryOpContractTest extends OpContract {
  private final EmulatedGpu rig = EmulatedGpu.build();
  private final EmulatedLibrary library = EmulatedLibrary.cublasLt();
  private final EmulatedLibrary convolutions = EmulatedLibrary.cudnn();

  @Override
  protected Backend open() {
    rig.recover();
    library.complaint();
    convolutions.complaint();
    GpuBackend backend =
        GpuBackend.open(
            Optional.of(rig.library()),
            Optional.of(List.of(library.folder(), convolutions.folder())));
    assertTrue(backend.facts().getLast().contains("cuBLASLt"), () -> backend.facts().getLast());
    return backend;
  }

  @AfterEach
  void theLibraryWasAskedForNothingThatCannotBe() {
    assertEquals("", library.complaint() + convolutions.complaint());
  }
}
