package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Problem;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** Memory of a device that is taken and given back at once. */
public final class GpuArena implements AutoCloseable {
  private final GpuDevice device;
  private final DeviceMemory memory;
  private boolean closed;

  private GpuArena(GpuDevice device, DeviceMemory memory) {
    this.device = device;
    this.memory = memory;
  }

  /**
   * Takes memory, which starts on a boundary of 256 bytes.
   *
   * @param bytes how much; for 0 nothing is taken
   * @throws MemoryException where the device has too little
   */
  static GpuArena of(GpuDevice device, long bytes) {
    if (bytes == 0) {
      return new GpuArena(device, DeviceMemory.NONE);
    }
    DeviceMemory.Address address = new DeviceMemory.Address();
    int result = JCudaDriver.cuMemAlloc(address, bytes);
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      throw new MemoryException(
          new Problem(
              "gpu",
              device.name(),
              bytes + " bytes of GPU memory",
              device.freeBytes() + " of " + device.totalBytes() + " that are free",
              Advice.FREE_THE_GPU));
    }
    Call.check(result, "cuMemAlloc", bytes + " bytes of GPU memory");
    return new GpuArena(device, new DeviceMemory(address.value(), bytes));
  }

  /** All of it. */
  public DeviceMemory memory() {
    return memory;
  }

  /** Waits for what runs on the device, and gives the memory back. Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (memory.bytes() > 0) {
        device.enter();
        Call.check(JCudaDriver.cuMemFree(memory.pointer()), "cuMemFree", "memory that was taken");
      }
    }
  }
}
