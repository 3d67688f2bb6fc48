package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.driver.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The order in which a backend's device works, and copies that wait for it. */
final class GpuQueue implements AutoCloseable {
  private final GpuDevice device;
  private final GpuStream stream;
  private final ReentrantLock lock = new ReentrantLock();

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
    alone(
        () -> {
          try (PinnedMemory pinned = device.pinned(from.byteSize())) {
            pinned.memory().copyFrom(from);
            stream.upload(pinned.memory(), to);
            stream.synchronize();
          }
        });
  }

  /** Copies from the device when all that was queued is done. */
  void downloadNow(DeviceMemory from, MemorySegment to) {
    alone(
        () -> {
          try (PinnedMemory pinned = device.pinned(from.bytes())) {
            stream.download(from, pinned.memory());
            stream.synchronize();
            to.copyFrom(pinned.memory());
          }
        });
  }

  @Override
  public void close() {
    stream.close();
  }
}
