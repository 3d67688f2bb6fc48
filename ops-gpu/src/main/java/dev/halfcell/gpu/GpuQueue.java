package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.driver.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The order in which a backend's device works, and copies that wait for it. */
final class GpuQueue implements AutoCloseable {
  /** The bytes of what is copied at a time. */
  private static final long PIECE = 4L << 20;

  private final GpuDevice device;
  private final GpuStream stream;
  private final ReentrantLock lock = new ReentrantLock();
  private Optional<PinnedMemory> between = Optional.empty();

  GpuQueue(GpuDevice device) {
    this.device = device;
    this.stream = device.stream();
  }

  GpuDevice device() {
    return device;
  }

  GpuStream stream() {
    return stream;
  }

  /**
   * Does something while no other thread queues, waits or allocates: what one of them queued while
   * another records would be part of that recording, and waiting would end it. Who holds a lock of
   * his own takes this one before.
   */
  <T> T alone(Supplier<T> what) {
    lock.lock();
    try {
      device.enter();
      return what.get();
    } finally {
      lock.unlock();
    }
  }

  /** The same where nothing is made. */
  void alone(Runnable what) {
    var _ =
        alone(
            () -> {
              what.run();
              return this;
            });
  }

  /** Copies to the device, and returns when it is done. */
  void uploadNow(MemorySegment from, DeviceMemory to) {
    to.requireSize(from.byteSize());
    alone(
        () -> {
          for (long at = 0; at < to.bytes(); at += PIECE) {
            long bytes = Math.min(PIECE, to.bytes() - at);
            MemorySegment pinned = between(bytes);
            pinned.copyFrom(from.asSlice(at, bytes));
            stream.upload(pinned, to.slice(at, bytes));
            stream.synchronize();
          }
        });
  }

  /** Pinned memory for a piece of a copy; taking it for each copy would cost more than the copy. */
  private MemorySegment between(long bytes) {
    if (between.isEmpty()) {
      between = Optional.of(device.pinned(PIECE));
    }
    return between.get().memory().asSlice(0, bytes);
  }

  /** Copies from the device when all that was queued is done. */
  void downloadNow(DeviceMemory from, MemorySegment to) {
    from.requireSize(to.byteSize());
    alone(
        () -> {
          for (long at = 0; at < from.bytes(); at += PIECE) {
            long bytes = Math.min(PIECE, from.bytes() - at);
            MemorySegment pinned = between(bytes);
            stream.download(from.slice(at, bytes), pinned);
            stream.synchronize();
            to.asSlice(at, bytes).copyFrom(pinned);
          }
        });
  }

  @Override
  public void close() {
    between.ifPresent(PinnedMemory::close);
    stream.close();
  }
}
