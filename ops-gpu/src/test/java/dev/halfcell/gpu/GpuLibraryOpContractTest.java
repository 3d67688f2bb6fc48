package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedCublasLt;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.testkit.OpContract;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * Every op that the GPU backend computes, matrix products by the library. Others have the kernels
 * that {@link GpuOpContractTest} tries in each build; products by the library are tried there by
 * {@link LargeProductsTest} and {@link GpuLibraryPlanTest}.
 */
@Tag("slow")
final class GpuLibraryOpContractTest extends OpContract {
  private final EmulatedGpu rig = EmulatedGpu.build();
  private final EmulatedCublasLt library = EmulatedCublasLt.build();

  @Override
  protected Backend open() {
    rig.recover();
    library.complaint();
    GpuBackend backend =
        GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of(library.folder())));
    assertTrue(backend.facts().getLast().contains("cuBLASLt"), () -> backend.facts().getLast());
    return backend;
  }

  @AfterEach
  void theLibraryWasAskedForNothingThatCannotBe() {
    assertEquals("", library.complaint());
  }
}
