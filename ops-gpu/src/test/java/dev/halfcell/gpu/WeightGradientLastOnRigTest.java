package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The same on the emulated GPU, by an emulated cuDNN and cuBLASLt. */
@Tag("rig")
final class WeightGradientLastOnRigTest extends WeightGradientLastContract {
  private final EmulatedGpu rig = EmulatedGpu.build();
  private final EmulatedLibrary convolutions = EmulatedLibrary.cudnn();
  private final EmulatedLibrary products = EmulatedLibrary.cublasLt();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    convolutions.complaint();
    products.complaint();
    return GpuBackend.open(
        Optional.of(rig.library()), Optional.of(List.of(convolutions.folder(), products.folder())));
  }

  @AfterEach
  void noLibraryWasAskedForNothingThatCannotBe() {
    assertEquals("", convolutions.complaint());
    assertEquals("", products.complaint());
  }
}
