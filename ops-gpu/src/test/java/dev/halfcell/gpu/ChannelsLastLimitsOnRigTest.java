package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The same on the emulated GPU, by an emulated cuDNN. */
@Tag("rig")
final class ChannelsLastLimitsOnRigTest extends ChannelsLastLimitsContract {
  private final EmulatedGpu rig = EmulatedGpu.build();
  private final EmulatedLibrary convolutions = EmulatedLibrary.cudnn();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    convolutions.complaint();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of(convolutions.folder())));
  }

  @AfterEach
  void theLibraryWasAskedForNothingThatCannotBe() {
    assertEquals("", convolutions.complaint());
  }
}
