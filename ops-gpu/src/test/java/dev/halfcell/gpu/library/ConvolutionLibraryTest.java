package dev.halfcell.gpu.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.library.ConvolutionProblem.Pass;
import dev.halfcell.gpu.library.ConvolutionProblem.Shapes;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cuDNN that is found, absent, broken or refuses: one line each, and no error. */
@Tag("rig")
final class ConvolutionLibraryTest {
  private static final int NOT_INITIALIZED = 1001;
  private static final int NOT_SUPPORTED = 3000;
  private static final ConvolutionProblem GRADIENT =
      new ConvolutionProblem(
          Pass.WEIGHT_GRADIENT,
          DType.FP16,
          DType.FP32,
          new Shapes(Shape.of(2, 3, 5, 5), Shape.of(4, 3, 3, 3), Shape.of(2, 4, 5, 5)),
          Conv2dGeometry.square(1, 1));
  private static final String WORDS =
      "a convolution's gradient by the weight of [2, 3, 5, 5] with [4, 3, 3, 3] in fp16 to fp32";

  private final EmulatedGpu gpu = EmulatedGpu.build();
  private final EmulatedLibrary emulated = EmulatedLibrary.cudnn();
  private GpuDevice device;

  @TempDir Path folder;

  @BeforeEach
  void open() {
    device = gpu.open();
  }

  @AfterEach
  void close() {
    emulated.complaint();
    device.close();
    assertEquals(0, emulated.objects(), "handles and descriptors that were not given back");
  }

  private NvidiaLibrary<ConvolutionProblem> library(Path in) {
    return NvidiaLibrary.convolutions(device, LibrarySearch.of(Optional.of(List.of(in)), Map.of()));
  }

  private NvidiaLibrary<ConvolutionProblem> library() {
    return library(emulated.folder());
  }

  @Test
  void aLibraryThatIsThereIsNamedWithItsVersion() {
    try (NvidiaLibrary<ConvolutionProblem> library = library()) {
      assertEquals("convolutions by cuDNN 9.5.1 (" + emulated.file() + ")", library.fact());
      assertEquals(List.of(), library.notices());
    }
  }

  @Test
  void anAbsentLibraryIsSaid() {
    try (NvidiaLibrary<ConvolutionProblem> library = library(folder)) {
      assertEquals(
          List.of("convolutions by own kernels: no libcudnn_graph.so.9 in " + folder),
          library.notices());
      assertEquals(Optional.empty(), library.task(GRADIENT));
    }
  }

  @Test
  void aLibraryThatLacksAFunctionIsSaid() {
    EmulatedLibrary lacking = EmulatedLibrary.cudnnWithoutExecution();
    try (NvidiaLibrary<ConvolutionProblem> library = library(lacking.folder())) {
      assertEquals(
          "convolutions by own kernels: [gpu] at "
              + lacking.file()
              + ": expected a library with the function cudnnBackendExecute, got one without it."
              + " Install cuDNN 9 again.",
          library.fact());
    }
  }

  @Test
  void aLibraryThatDoesNotStartIsSaid() {
    emulated.fail("cudnnCreate", NOT_INITIALIZED, 0);
    try (NvidiaLibrary<ConvolutionProblem> library = library()) {
      assertEquals(
          "convolutions by own kernels: [gpu] at cudnnCreate: expected a call of "
              + emulated.file()
              + " that succeeds, got CUDNN_STATUS_NOT_INITIALIZED (1001).",
          library.fact());
    }
  }

  /** It names four: two whose numbers are others, one that cannot be planned, one that serves. */
  @Test
  void theFirstEngineThatServesIsTaken() {
    try (NvidiaLibrary<ConvolutionProblem> library = library()) {
      long finished = emulated.calls("cudnnBackendFinalize");
      LibraryTask task = library.task(GRADIENT).orElseThrow();
      assertTrue(task.workspaceBytes() > 0);
      long asked = emulated.calls("cudnnBackendFinalize") - finished;
      assertEquals(
          9, asked, "three tensors, how, the operation, its graph, a heuristic, two plans");
      assertSame(task, library.task(GRADIENT).orElseThrow());
      assertEquals(asked, emulated.calls("cudnnBackendFinalize") - finished, "prepared once");
      assertEquals("", emulated.complaint());
    }
  }

  @Test
  void whatNoEngineServesIsLeftToOthersAndSaid() {
    try (NvidiaLibrary<ConvolutionProblem> library = library()) {
      emulated.fail("cudnnBackendCreateDescriptor", NOT_SUPPORTED, 6);
      emulated.fail("cudnnBackendGetAttribute", NOT_SUPPORTED, 0);
      assertEquals(Optional.empty(), library.task(GRADIENT));
      assertEquals(Optional.empty(), library.task(GRADIENT), "refused for good");
      String said = library.notices().getFirst();
      assertTrue(said.startsWith("some convolutions by own kernels: cuDNN refused " + WORDS), said);
      assertTrue(said.contains("CUDNN_STATUS_NOT_SUPPORTED (3000)"), said);
      assertEquals(1, said.lines().count(), said);
      assertEquals(1, emulated.objects(), "the handle alone");
    }
  }

  /**
   * Those by which it is told of the operation; what fails behind them is left for the next engine.
   */
  @Test
  void eachCallThatFailsIsARefusalThatLeavesNothingBehind() {
    for (int after = 0; after < 6; after++) {
      try (NvidiaLibrary<ConvolutionProblem> library = library()) {
        emulated.fail("cudnnBackendSetAttribute", NOT_SUPPORTED, 5 * after);
        assertEquals(Optional.empty(), library.task(GRADIENT), "attribute " + 5 * after);
        assertEquals(1, emulated.objects(), "attribute " + 5 * after);
      }
    }
  }
}
