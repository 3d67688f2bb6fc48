package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Fused works on the emulated GPU, where cuBLASLt adds the bias and applies ReLU. */
@Tag("rig")
final class FusedWorksByLibraryTest extends FusedWorksContract {
  private final EmulatedGpu rig = EmulatedGpu.build();
  private final EmulatedLibrary library = EmulatedLibrary.cublasLt();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    library.complaint();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of(library.folder())));
  }

  @AfterEach
  void theLibraryWasAskedForNothingThatCannotBe() {
    assertEquals("", library.complaint());
  }
}
