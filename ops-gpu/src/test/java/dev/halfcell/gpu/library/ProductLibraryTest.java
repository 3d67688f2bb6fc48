package dev.halfcell.gpu.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.DriverCallException;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.library.Multiplication.Operand;
import dev.halfcell.gpu.library.Multiplication.Size;
import dev.halfcell.tensor.DType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A library that is found, absent, broken or refuses: one line each, and no error. */
@Tag("rig")
final class ProductLibraryTest {
  private static final int NOT_INITIALIZED = 1;
  private static final int NOT_SUPPORTED = 15;
  private static final Multiplication PRODUCT =
      new Multiplication(
          DType.FP16,
          DType.FP32,
          new Size(3, 5, 4),
          1,
          new Operand(false, false),
          new Operand(true, false));

  private final EmulatedGpu gpu = EmulatedGpu.build();
  private final EmulatedLibrary emulated = EmulatedLibrary.cublasLt();
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

  private NvidiaLibrary<Multiplication> library(Path in) {
    return NvidiaLibrary.products(device, LibrarySearch.of(Optional.of(List.of(in)), Map.of()));
  }

  private NvidiaLibrary<Multiplication> library() {
    return library(emulated.folder());
  }

  private static void assertOneLine(String expected, NvidiaLibrary<Multiplication> library) {
    assertEquals(expected, library.fact());
    assertEquals(1, library.fact().lines().count());
  }

  @Test
  void aLibraryThatIsThereIsNamedWithItsVersion() {
    try (NvidiaLibrary<Multiplication> library = library()) {
      assertOneLine("matrix products by cuBLASLt 13.1.1 (" + emulated.file() + ")", library);
      assertEquals(List.of(), library.notices());
      assertEquals(Optional.of("13.1.1"), library.version());
    }
  }

  @Test
  void anAbsentLibraryIsSaid() {
    try (NvidiaLibrary<Multiplication> library = library(folder)) {
      assertOneLine(
          "matrix products by own kernels: no libcublasLt.so.13 or .12 in " + folder, library);
      assertEquals(List.of(library.fact()), library.notices());
      assertEquals(Optional.empty(), library.task(PRODUCT));
    }
  }

  @Test
  void aFileThatIsNoLibraryIsSaid() throws IOException {
    Path file = Files.writeString(folder.resolve("libcublasLt.so.13"), "no library");
    try (NvidiaLibrary<Multiplication> library = library(folder)) {
      assertOneLine(
          "matrix products by own kernels: [gpu] at "
              + file
              + ": expected a library of NVIDIA for this machine, got a file that cannot be opened"
              + " as one. Install the library of CUDA 12 or 13 again.",
          library);
    }
  }

  @Test
  void aLibraryThatLacksAFunctionIsSaid() {
    EmulatedLibrary lacking = EmulatedLibrary.cublasLtWithoutProducts();
    try (NvidiaLibrary<Multiplication> library = library(lacking.folder())) {
      assertOneLine(
          "matrix products by own kernels: [gpu] at "
              + lacking.file()
              + ": expected a library with the function cublasLtMatmul, got one without it. Install"
              + " the library of CUDA 12 or 13 again.",
          library);
    }
  }

  @Test
  void aLibraryThatDoesNotStartIsSaid() {
    emulated.fail("cublasLtCreate", NOT_INITIALIZED, 0);
    try (NvidiaLibrary<Multiplication> library = library()) {
      assertOneLine(
          "matrix products by own kernels: [gpu] at cublasLtCreate: expected a call of "
              + emulated.file()
              + " that succeeds, got CUBLAS_STATUS_NOT_INITIALIZED (1).",
          library);
    }
  }

  @Test
  void theNextLibraryIsTakenWhereOneIsBroken() throws IOException {
    Files.writeString(folder.resolve("libcublasLt.so.13"), "no library");
    LibrarySearch both = new LibrarySearch(false, List.of(folder, emulated.folder()));
    try (NvidiaLibrary<Multiplication> library = NvidiaLibrary.products(device, both)) {
      assertEquals(Optional.of("13.1.1"), library.version());
    }
  }

  /** It would round to BF16 before it adds the bias. */
  @Test
  void aBiasInBf16OffBoundariesIsLeftToOthersAndSaid() {
    Multiplication even =
        new Multiplication(
            DType.BF16,
            DType.BF16,
            new Size(17, 16, 8),
            1,
            new Operand(false, false),
            new Operand(true, false));
    Multiplication odd =
        new Multiplication(DType.BF16, DType.BF16, new Size(17, 13, 8), 1, even.a(), even.b());
    Multiplication deep =
        new Multiplication(DType.BF16, DType.BF16, new Size(24, 16, 5), 1, even.a(), even.b());
    try (NvidiaLibrary<Multiplication> library = library()) {
      assertTrue(library.task(even.ending(true, false)).isPresent());
      assertTrue(library.task(odd).isPresent());
      assertEquals(Optional.empty(), library.task(odd.ending(true, false)));
      assertEquals(Optional.empty(), library.task(deep.ending(true, false)));
      assertTrue(library.fact().contains("boundaries of 16 bytes"), library.fact());
    }
  }

  @Test
  void whatIsRefusedIsLeftToOthersAndSaid() {
    try (NvidiaLibrary<Multiplication> library = library()) {
      emulated.fail("cublasLtMatmulAlgoGetHeuristic", NOT_SUPPORTED, 0);
      assertEquals(Optional.empty(), library.task(PRODUCT));
      assertEquals(Optional.empty(), library.task(PRODUCT), "refused for good");
      assertEquals(
          List.of(
              "some matrix products by own kernels: cuBLASLt refused 1 of [3, 4] x [4, 5] in fp16"
                  + " to fp32: [gpu] at cublasLtMatmulAlgoGetHeuristic: expected a call of "
                  + emulated.file()
                  + " that succeeds, got CUBLAS_STATUS_NOT_SUPPORTED (15)."),
          library.notices());
      assertOneLine(
          "matrix products by cuBLASLt 13.1.1 ("
              + emulated.file()
              + "), some by own kernels: it refused 1 of [3, 4] x [4, 5] in fp16 to fp32: [gpu] at"
              + " cublasLtMatmulAlgoGetHeuristic: expected a call of "
              + emulated.file()
              + " that succeeds, got CUBLAS_STATUS_NOT_SUPPORTED (15).",
          library);
    }
  }

  @Test
  void eachCallThatFailsIsARefusalThatLeavesNothingBehind() {
    for (String call :
        List.of(
            "cublasLtMatmulDescCreate",
            "cublasLtMatmulDescSetAttribute",
            "cublasLtMatrixLayoutCreate",
            "cublasLtMatmulPreferenceCreate",
            "cublasLtMatmulPreferenceSetAttribute")) {
      try (NvidiaLibrary<Multiplication> library = library()) {
        emulated.fail(call, NOT_SUPPORTED, 0);
        assertEquals(Optional.empty(), library.task(PRODUCT), call);
        assertEquals(1, emulated.objects(), call);
        assertTrue(library.fact().contains(call), library.fact());
      }
    }
  }

  @Test
  void aProductIsPreparedOnce() {
    try (NvidiaLibrary<Multiplication> library = library()) {
      LibraryTask first = library.task(PRODUCT).orElseThrow();
      long asked = emulated.calls("cublasLtMatmulAlgoGetHeuristic");
      assertSame(first, library.task(PRODUCT).orElseThrow());
      assertEquals(asked, emulated.calls("cublasLtMatmulAlgoGetHeuristic"));
      assertEquals("", emulated.complaint());
    }
  }

  /** What was lost before is nothing that a library could be blamed for. */
  @Test
  void aProductOfARecordingThatIsLostIsNotAskedFor() {
    LibraryTask.Place nowhere =
        new LibraryTask.Place(
            DeviceMemory.NONE,
            DeviceMemory.NONE,
            DeviceMemory.NONE,
            DeviceMemory.NONE,
            DeviceMemory.NONE);
    try (NvidiaLibrary<Multiplication> library = library();
        GpuStream stream = device.stream()) {
      LibraryTask task = library.task(PRODUCT).orElseThrow();
      long asked = emulated.calls("cublasLtMatmul");
      Runnable spoilt =
          () -> {
            assertThrows(DriverCallException.class, stream::synchronize);
            task.queue(stream, nowhere);
          };
      DriverCallException told =
          assertThrows(DriverCallException.class, () -> stream.capture(spoilt).close());
      assertTrue(told.endedCapture());
      assertEquals(asked, emulated.calls("cublasLtMatmul"));
      assertEquals(0, library.lostTasks());
      assertSame(task, library.task(PRODUCT).orElseThrow());
    }
  }

  @Test
  void productsByTheSameMatrixBecomeOne() {
    Operand each = new Operand(false, false);
    Operand same = new Operand(true, true);
    Size size = new Size(3, 5, 4);
    Multiplication many = new Multiplication(DType.BF16, DType.BF16, size, 7, each, same);
    Multiplication one =
        new Multiplication(
            DType.BF16, DType.BF16, new Size(21, 5, 4), 1, each, new Operand(true, false));
    assertEquals(one, many.folded());
    Operand turned = new Operand(true, false);
    Multiplication other = new Multiplication(DType.BF16, DType.BF16, size, 7, turned, same);
    assertEquals(other, other.folded());
  }
}
