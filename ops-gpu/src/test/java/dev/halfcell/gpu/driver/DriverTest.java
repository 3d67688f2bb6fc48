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
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The driver layer on the emulated GPU, with what only that can show. */
final class DriverTest extends DriverContract {
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int LAUNCH_FAILED = 719;

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
            () -> GpuDevice.open(java.util.Optional.of(rig.library()), 1).close());
    assertTrue(refused.problem().message().contains("GPU 1"), refused.problem().message());
  }
}
