package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A whole training step whose matrix products are those of the library. */
@Tag("rig")
final class GpuLibraryPlanTest extends DevicePlanContract {
  private static final String MULTIPLY = "cublasLtMatmul";
  private static final int PRODUCTS = 5;
  private static final int EXECUTION_FAILED = 13;
  private static final int NOT_SUPPORTED = 15;

  private final EmulatedGpu rig = EmulatedGpu.build();
  private final EmulatedLibrary library = EmulatedLibrary.cublasLt();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    library.complaint();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of(library.folder())));
  }

  @AfterEach
  void allIsGivenBack() {
    assertEquals("", library.complaint());
    gpu().close();
    assertEquals(0, rig.allocations(), "device memory that was not given back");
    assertEquals(0, library.objects(), "handles and descriptors that were not given back");
  }

  @Test
  void eachProductIsAskedForOneByOneAndThenOnceForTheGraph() {
    long before = library.calls(MULTIPLY);
    assertTrainsAsTheReference();
    assertEquals(2 * PRODUCTS, library.calls(MULTIPLY) - before);
  }

  @Test
  void nothingIsPreparedWhileAStepIsCaptured() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
      plan.run(TwoLayers.batch(scope(), 0));
      long made = library.objects();
      long asked = library.calls("cublasLtMatmulAlgoGetHeuristic");
      plan.run(TwoLayers.batch(scope(), 1));
      assertEquals(made, library.objects());
      assertEquals(asked, library.calls("cublasLtMatmulAlgoGetHeuristic"));
    }
  }

  @Test
  void theReportSaysWhoMultiplies() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
      List<PlannedTask> products =
          plan.report().schedule().stream()
              .filter(task -> task.label().contains("MatMul"))
              .toList();
      assertEquals(PRODUCTS, products.size());
      assertTrue(products.stream().allMatch(task -> task.kernel().equals("cuBLASLt")));
      assertTrue(products.stream().anyMatch(task -> task.cost().workspaceBytes() > 0));
    }
  }

  @Test
  void aProductThatIsRefusedIsComputedByOwnKernels() {
    library.fail("cublasLtMatmulAlgoGetHeuristic", NOT_SUPPORTED, 2);
    long before = library.calls(MULTIPLY);
    assertTrainsAsTheReference();
    assertEquals(2 * (PRODUCTS - 1), library.calls(MULTIPLY) - before);
    assertTrue(gpu().facts().getLast().contains("some by own kernels"), gpu().facts()::toString);
  }

  @Test
  void aProductThatFailsIsComputedByOwnKernelsFromThenOn() {
    library.fail(MULTIPLY, EXECUTION_FAILED, 2);
    assertTrainsAsTheReference();
    String fact = gpu().facts().getLast();
    assertTrue(fact.contains("CUBLAS_STATUS_EXECUTION_FAILED"), fact);
    assertEquals(1, fact.lines().count());
  }

  /** By which the recording is lost: that run goes on without, and the next makes another. */
  @Test
  void aProductThatFailsWhileAStepIsRecordedIsComputedByOwnKernelsFromThenOn() {
    long begun = rig.calls("cuStreamBeginCapture_v2");
    long recorded = rig.calls("cuGraphInstantiateWithFlags");
    library.fail(MULTIPLY, EXECUTION_FAILED, PRODUCTS + 2);
    assertTrainsAsTheReference();
    assertEquals(2, rig.calls("cuStreamBeginCapture_v2") - begun);
    assertEquals(1, rig.calls("cuGraphInstantiateWithFlags") - recorded);
    String fact = gpu().facts().getLast();
    assertTrue(fact.contains("CUBLAS_STATUS_EXECUTION_FAILED"), fact);
  }

  /** Each loses a recording, and one product less is asked for the next time. */
  @Test
  void recordingsThatLoseProductsAreTriedUntilOneIsMade() {
    long recorded = rig.calls("cuGraphInstantiateWithFlags");
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
      plan.run(TwoLayers.batch(scope(), 0));
      for (int step = 1; step <= PRODUCTS; step++) {
        library.fail(MULTIPLY, EXECUTION_FAILED, 0);
        plan.run(TwoLayers.batch(scope(), step));
        assertEquals(0, rig.calls("cuGraphInstantiateWithFlags") - recorded, "step " + step);
      }
      plan.run(TwoLayers.batch(scope(), PRODUCTS + 1));
      assertEquals(1, rig.calls("cuGraphInstantiateWithFlags") - recorded);
    }
    assertTrue(gpu().notices().stream().noneMatch(said -> said.startsWith("steps")));
  }
}
