package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.GpuArena;
import dev.halfcell.gpu.driver.GpuDevice;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies that are waited for. */
@Tag("rig")
final class GpuQueueTest {
  private final EmulatedGpu rig = EmulatedGpu.build();

  /** More than a piece, and no whole number of them. */
  @Test
  void whatIsLongIsCopiedPieceByPiece() {
    byte[] bytes = new byte[(9 << 20) + 5];
    new Random(1).nextBytes(bytes);
    try (GpuDevice device = rig.open();
        GpuQueue queue = new GpuQueue(device);
        GpuArena arena = device.allocate(bytes.length)) {
      queue.uploadNow(MemorySegment.ofArray(bytes), arena.memory());
      byte[] got = new byte[bytes.length];
      queue.downloadNow(arena.memory(), MemorySegment.ofArray(got));
      assertArrayEquals(bytes, got);
    }
  }

  @Test
  void copiesOfAnotherLengthAreRefused() {
    MemorySegment more = MemorySegment.ofArray(new byte[17]);
    try (GpuDevice device = rig.open();
        GpuQueue queue = new GpuQueue(device);
        GpuArena arena = device.allocate(16)) {
      String said =
          assertThrows(IllegalArgumentException.class, () -> queue.uploadNow(more, arena.memory()))
              .getMessage();
      assertTrue(String.valueOf(said).contains("16 bytes and 17"), said);
      assertThrows(IllegalArgumentException.class, () -> queue.downloadNow(arena.memory(), more));
    }
  }
}
