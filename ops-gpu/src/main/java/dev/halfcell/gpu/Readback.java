package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuEvent;
import dev.halfcell.gpu.driver.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The small values that hosts read after each step: a loss, a loss scale, a counter. The step
 * itself copies them to pinned memory, so that reading all of them waits once and calls nothing.
 */
final class Readback implements AutoCloseable {
  /** The bytes of the largest value that is brought along. */
  static final long MOST = 64;

  private final GpuQueue queue;
  private final PinnedMemory pinned;
  private final GpuEvent done;
  private final Map<DeviceMemory, MemorySegment> pieces = new LinkedHashMap<>();

  /**
   * Takes the memory.
   *
   * @param values where they lie on the device; those that are large are left out
   */
  Readback(GpuQueue queue, Collection<DeviceMemory> values) {
    this.queue = queue;
    this.done = queue.device().event();
    try {
      this.pinned = queue.device().pinned(MOST * values.size());
    } catch (RuntimeException | Error e) {
      done.close();
      throw e;
    }
    for (DeviceMemory value : values) {
      if (value.bytes() <= MOST) {
        MemorySegment piece = pinned.memory().asSlice(MOST * pieces.size(), value.bytes());
        pieces.putIfAbsent(value, piece.fill((byte) -1)); // no problem is noted
      }
    }
  }

  /** Whether it brings this along. */
  boolean brings(DeviceMemory value) {
    return pieces.containsKey(value);
  }

  /** Queues the copies: part of the step. */
  void queueCopies() {
    pieces.forEach((from, to) -> queue.stream().download(from, to));
  }

  /** All that the last step brings is queued. */
  void queued() {
    queue.stream().record(done);
  }

  /** A value as the last step left it, for which it waits. */
  MemorySegment read(DeviceMemory value) {
    done.synchronize();
    MemorySegment piece = pieces.get(value);
    if (piece == null) {
      throw new IllegalArgumentException(value + " is not brought along");
    }
    return piece;
  }

  /** What is queued has to be done. */
  @Override
  public void close() {
    pinned.close();
    done.close();
  }
}
