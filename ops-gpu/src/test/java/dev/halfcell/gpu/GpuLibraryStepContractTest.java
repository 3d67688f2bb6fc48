package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.testkit.NetworkContract.Subject;
import dev.halfcell.testkit.NetworkStepContract;
import dev.halfcell.zoo.SmallImageResNet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Steps of a residual network whose products and convolutions are those of both libraries. */
@Tag("rig")
final class GpuLibraryStepContractTest extends NetworkStepContract {
  private static final EmulatedLibrary PRODUCTS = EmulatedLibrary.cublasLt();
  private static final EmulatedLibrary CONVOLUTIONS = EmulatedLibrary.cudnn();

  private static long before;

  @BeforeAll
  static void count() {
    before = CONVOLUTIONS.calls("cudnnBackendExecute");
  }

  @AfterAll
  static void bothComputed() {
    assertTrue(CONVOLUTIONS.calls("cudnnBackendExecute") > before, "cuDNN computed nothing");
    assertTrue(PRODUCTS.calls("cublasLtMatmul") > 0, "cuBLASLt computed nothing");
  }

  @Override
  protected List<Subject> subjects() {
    return List.of(
        new Subject(
            "resnet8",
            () -> new SmallImageResNet(new SmallImageResNet.Config(8, 1, 10)),
            0,
            TensorSpec.of(DType.FP32, 1, 16, 16)));
  }

  @Override
  protected Backend open() {
    EmulatedGpu rig = EmulatedGpu.build();
    rig.recover();
    return GpuBackend.open(
        Optional.of(rig.library()), Optional.of(List.of(PRODUCTS.folder(), CONVOLUTIONS.folder())));
  }

  @AfterEach
  void neitherWasAskedForWhatCannotBe() {
    assertEquals("", PRODUCTS.complaint() + CONVOLUTIONS.complaint());
  }
}
