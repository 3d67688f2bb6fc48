package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver layer on the emulated GPU, with what only that can show. */
@Tag("rig")
final class DriverTest extends DriverContract {
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int LAUNCH_FAILED = 719;
  private static final int OUT_OF_MEMORY = 2;
  private static final int DEVICE_UNAVAILABLE = 46;
  private static final int CAPTURE_INVALIDATED = 901;
  private static final String RETAIN = "cuDevicePrimaryCtxRetain";
  private static final String RELEASE = "cuDevicePrimaryCtxRelease_v2";
  private static final String DESTROY = "cuGraphDestroy";

  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  GpuDevice openDevice() {
    return rig.open();
  }

  @Override
  void shuffle(long seed) {
    rig.seed(seed);
  }

  @AfterEach
  void recover() {
    rig.recover();
  }

  @Test
  void anEventIsNotReachedBeforeWhatComesBeforeIt() {
    try (GpuEvent event = device().event();
        GpuArena x = uploaded(counting(256));
        GpuArena y = device().allocate(4 * 256)) {
      stream().copy(x.memory(), y.memory());
      stream().record(event);
      assertFalse(event.reached());
      event.synchronize();
      assertTrue(event.reached());
    }
  }

  @Test
  void copiesThatNobodyWaitsForShow() {
    int n = 1024;
    assertFalse(java.util.Arrays.equals(reversedAhead(n, true), reversedAhead(n, false)));
  }

  @Test
  void aMissingBarrierShows() {
    float[] expected = new float[256];
    for (int i = 0; i < 256; i++) {
      expected[i] = 255 - i;
    }
    assertArrayEquals(expected, reversed(1));
    assertFalse(java.util.Arrays.equals(expected, reversed(0)), "without its barrier");
  }

  /** Not even those of the block before it. */
  @Test
  void sharedMemoryThatNobodyWroteHoldsNoNumbers() {
    float[] whole = reversed(1);
    float[] tooEarly = reversed(0);
    int nothing = 0;
    for (int i = 0; i < whole.length; i++) {
      if (Float.isNaN(tooEarly[i])) {
        nothing++;
      } else {
        assertEquals(whole[i], tooEarly[i]);
      }
    }
    assertNotEquals(0, nothing);
  }

  private float[] reversed(int barrier) {
    rig.seed(7);
    try (GpuArena x = uploaded(counting(256));
        GpuArena y = uploaded(new float[256])) {
      kernel("reverse")
          .launch(
              stream(),
              Size.of(1),
              Size.of(256),
              List.of(
                  new Argument.Address(x.memory()),
                  new Argument.Address(y.memory()),
                  new Argument.Int32(barrier)));
      return downloaded(y);
    }
  }

  @Test
  void nothingIsDoneBeforeSomebodyWaitsForIt() {
    try (PinnedMemory host = device().pinned(4);
        GpuArena y = uploaded(5)) {
      host.memory().set(ValueLayout.JAVA_FLOAT, 0, -1);
      stream().download(y.memory(), host.memory());
      assertEquals(-1, host.memory().get(ValueLayout.JAVA_FLOAT, 0));
      stream().synchronize();
      assertEquals(5, host.memory().get(ValueLayout.JAVA_FLOAT, 0));
    }
  }

  @Test
  void barriersThatNeverMeetAreAnError() {
    kernel("diverge").launch(stream(), Size.of(1), Size.of(64), List.of());
    DriverCallException failed =
        assertThrows(DriverCallException.class, () -> stream().synchronize());
    assertEquals(LAUNCH_FAILED, failed.code());
    assertTrue(failed.problem().message().contains("diverge"), failed.problem().message());
  }

  @Test
  void writingBehindMemoryIsAnError() {
    try (GpuArena x = uploaded(counting(64))) {
      kernel("write_behind")
          .launch(
              stream(),
              Size.of(1),
              Size.of(32),
              List.of(new Argument.Address(x.memory()), new Argument.Int32(64)));
      DriverCallException failed =
          assertThrows(DriverCallException.class, () -> stream().synchronize());
      assertEquals(ILLEGAL_ADDRESS, failed.code());
      rig.recover();
    }
  }

  @Test
  void tooLittleMemoryIsSaidWithWhatToDo() {
    try {
      rig.memory(1 << 20);
      MemoryException refused =
          assertThrows(MemoryException.class, () -> device().allocate(2 << 20).close());
      assertEquals("2097152 bytes of GPU memory", refused.problem().expected());
      assertEquals("1048576 of 1048576 that are free", refused.problem().got());
      assertTrue(refused.problem().fix().contains("smaller batch"), refused.problem().fix());
    } finally {
      rig.memory(4L << 30);
    }
  }

  @Test
  void allMemoryIsGivenBack() {
    long before = rig.allocations();
    GpuArena taken = device().allocate(1000);
    assertNotEquals(before, rig.allocations());
    taken.close();
    taken.close();
    assertEquals(before, rig.allocations());
  }

  @Test
  void theDeviceSaysWhatItIs() {
    assertEquals("emulated GPU", device().name());
    assertEquals(80, device().capability());
    assertEquals(13000, device().driverVersion());
    assertTrue(device().freeBytes() <= device().totalBytes());
  }

  @Test
  void aGpuThatTheMachineLacksIsRefused() {
    DriverMissingException refused =
        assertThrows(
            DriverMissingException.class,
            () -> GpuDevice.open(Optional.of(rig.library()), 1).close());
    assertTrue(refused.problem().message().contains("GPU 1"), refused.problem().message());
  }

  private GpuDevice opened() {
    return GpuDevice.open(Optional.of(rig.library()), 0);
  }

  @ParameterizedTest
  @CsvSource({
    "34, LD_LIBRARY_PATH",
    "100, CUDA_VISIBLE_DEVICES",
    "802, nvidia-fabricmanager",
    "803, restart the machine",
    "803, container",
    "804, compatibility libraries",
    "999, nvidia_uvm"
  })
  void aDriverThatDoesNotStartIsSaidWithWhatToDo(int error, String advice) {
    rig.fail("cuInit", error, 0);
    Problem said = assertThrows(DriverMissingException.class, () -> opened().close()).problem();
    assertEquals("cuInit", said.where());
    assertTrue(said.got().contains("(" + error + ","), said.got());
    assertTrue(said.fix().contains(advice), said.fix());
  }

  /** As where the addresses of a process are limited. */
  @Test
  void aDriverThatHasNoMemoryToStartInIsToldOfTheMachines() {
    rig.fail("cuInit", OUT_OF_MEMORY, 0);
    Problem said = assertThrows(MemoryException.class, () -> opened().close()).problem();
    assertTrue(said.fix().contains("ulimit -v"), said.fix());
  }

  @Test
  void aGpuThatAnotherHasToItselfIsSaid() {
    rig.fail(RETAIN, DEVICE_UNAVAILABLE, 0);
    Problem said = assertThrows(DriverCallException.class, () -> opened().close()).problem();
    assertTrue(said.fix().contains("compute mode"), said.fix());
  }

  @Test
  void aDriverThatIsTooOldIsRefused() {
    rig.device(80, 11080);
    Problem said = assertThrows(DriverMissingException.class, () -> opened().close()).problem();
    assertEquals("one of CUDA 11.8", said.got());
    assertTrue(said.fix().contains("driver 525"), said.fix());
  }

  @Test
  void aGpuThatIsTooOldIsRefused() {
    rig.device(75, 13000);
    Problem said = assertThrows(DriverMissingException.class, () -> opened().close()).problem();
    assertEquals("a GPU of compute capability 8.0 or higher", said.expected());
    assertEquals("emulated GPU of 7.5", said.got());
  }

  /** As where another process has filled the GPU. */
  @ParameterizedTest
  @ValueSource(strings = {"cuDevicePrimaryCtxRetain", "cuCtxSetCurrent"})
  void aContextThatFindsNoMemoryIsSaidWithWhatToDo(String call) {
    long given = rig.calls(RELEASE) - rig.calls(RETAIN);
    rig.fail(call, OUT_OF_MEMORY, 0);
    Problem said = assertThrows(MemoryException.class, () -> opened().close()).problem();
    assertEquals(call, said.where());
    assertTrue(said.fix().contains("Free the GPU"), said.fix());
    boolean taken = !call.equals(RETAIN);
    assertEquals(taken ? 0 : -1, rig.calls(RELEASE) - rig.calls(RETAIN) - given);
  }

  @Test
  void whyAContextCannotBeUsedIsToldEvenWhereItCannotBeGivenBack() {
    rig.fail("cuCtxSetCurrent", OUT_OF_MEMORY, 0);
    rig.fail(RELEASE, ILLEGAL_ADDRESS, 0);
    MemoryException told = assertThrows(MemoryException.class, () -> opened().close());
    assertEquals("cuCtxSetCurrent", told.problem().where());
    assertEquals(1, told.getSuppressed().length);
  }

  @Test
  void theMachinesMemoryIsToldFromTheGpus() {
    rig.fail("cuMemHostAlloc", OUT_OF_MEMORY, 0);
    Problem said = assertThrows(MemoryException.class, () -> device().pinned(7).close()).problem();
    assertEquals("7 bytes of pinned host memory", said.expected());
    assertTrue(said.fix().contains("not of the GPU"), said.fix());
  }

  @Test
  void aGraphThatCannotBeLaunchedIsGivenBack() {
    rig.fail("cuGraphInstantiateWithFlags", OUT_OF_MEMORY, 0);
    long destroyed = rig.calls(DESTROY);
    assertThrows(MemoryException.class, () -> stream().capture(() -> {}).close());
    assertEquals(1, rig.calls(DESTROY) - destroyed);
  }

  @Test
  void whatEndsACaptureIsTheErrorThatIsTold() {
    long destroyed = rig.calls(DESTROY);
    rig.fail(DESTROY, ILLEGAL_ADDRESS, 0);
    Runnable fails =
        () -> {
          throw new UncheckedIOException(new IOException("told"));
        };
    assertThrows(UncheckedIOException.class, () -> stream().capture(fails).close());
    assertEquals(1, rig.calls(DESTROY) - destroyed);
  }

  /** The driver takes none of what comes behind the call that spoilt a capture. */
  @Test
  void aSpoiltCaptureTakesNothingMore() {
    Runnable goesOn =
        () -> {
          assertThrows(DriverCallException.class, () -> stream().synchronize());
          kernel("diverge").launch(stream(), Size.of(1), Size.of(64), List.of());
        };
    DriverCallException told =
        assertThrows(DriverCallException.class, () -> stream().capture(goesOn).close());
    assertEquals(CAPTURE_INVALIDATED, told.code());
    assertEquals("cuLaunchKernel", told.problem().where());
    assertTrue(told.endedCapture());
    stream().synchronize();
  }
}
