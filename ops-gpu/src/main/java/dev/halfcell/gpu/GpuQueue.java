package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.driver.PinnedMemory;
import java.lang.foreign.MemorySegment;

/** The order in which a backend's device works, and copies that wait for it. */
final class GpuQueue implements AutoCloseable {
  private final GpuDevice device;
  private final GpuStream stream;

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

  /** Copies to the device, and returns when it is done. */
  synchronized void uploadNow(MemorySegment from, DeviceMemory to) {
    device.enter();
    try (PinnedMemory pinned = device.pinned(from.byteSize())) {
      pinned.memory().copyFrom(from);
      stream.upload(pinned.memory(), to);
      stream.synchronize();
    }
  }

  /** Copies from the device when all that was queued is done. */
  synchronized void downloadNow(DeviceMemory from, MemorySegment to) {
    device.enter();
    try (PinnedMemory pinned = device.pinned(from.bytes())) {
      stream.download(from, pinned.memory());
      stream.synchronize();
      to.copyFrom(pinned.memory());
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
