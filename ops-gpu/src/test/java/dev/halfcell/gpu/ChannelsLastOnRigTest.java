package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same by emulated libraries, with what only they can show. */
@Tag("rig")
final class ChannelsLastOnRigTest extends ChannelsLastContract {
  private static final String EXECUTE = "cudnnBackendExecute";
  private static final String MULTIPLY = "cublasLtMatmul";
  private static final int EXECUTION_FAILED = 5000;

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
  void theLibrariesWereAskedForNothingThatCannotBe() {
    assertEquals("", convolutions.complaint() + products.complaint());
  }

  @Test
  void bothLibrariesCompute() {
    long convolved = convolutions.calls(EXECUTE);
    long multiplied = products.calls(MULTIPLY);
    assertTrainsAsTheReference(DType.FP16);
    assertTrue(convolutions.calls(EXECUTE) > convolved);
    assertTrue(products.calls(MULTIPLY) > multiplied);
  }

  /** Each convolution by own kernels then, which know images row by row alone. */
  @Test
  void whatTheLibraryFailsAtIsComputedByOwnKernels() {
    convolutions.fail(EXECUTE, EXECUTION_FAILED, 0);
    assertTrainsAsTheReference(DType.FP16);
  }
}
