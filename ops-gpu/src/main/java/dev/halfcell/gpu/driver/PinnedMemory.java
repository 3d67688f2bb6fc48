package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.MemorySegment;
import jcuda.Pointer;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** Memory of the host that the device can copy from and to while both go on. */
public final class PinnedMemory implements AutoCloseable {
  private final GpuDevice device;
  private final Address address;
  private final MemorySegment memory;
  private boolean closed;

  private PinnedMemory(GpuDevice device, Address address, long bytes) {
    this.device = device;
    this.address = address;
    this.memory = MemorySegment.ofAddress(address.value()).reinterpret(bytes);
  }

  /**
   * Takes memory.
   *
   * @throws MemoryException where the machine has too little
   */
  static PinnedMemory of(GpuDevice device, long bytes) {
    Address address = new Address();
    long taken = Math.max(1, bytes);
    int result = JCudaDriver.cuMemHostAlloc(address, taken, 0);
    String what = bytes + " bytes of pinned host memory";
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      throw new MemoryException(
          new Problem(
              "gpu",
              "cuMemHostAlloc",
              what,
              "that it has too little free, or lets a process pin less",
              "Take a smaller batch, or free memory of the machine, not of the GPU."));
    }
    Call.check(result, "cuMemHostAlloc", what);
    return new PinnedMemory(device, address, bytes);
  }

  /** It, to be read and written by the host. It may not be used when this is closed. */
  public MemorySegment memory() {
    return memory;
  }

  /** Gives it back. Nothing may copy from or to it any more. Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      device.enter();
      Call.check(JCudaDriver.cuMemFreeHost(address), "cuMemFreeHost", "memory that was taken");
    }
  }

  /** A pointer to memory of the host, whose number JCuda keeps to itself and its heirs. */
  static final class Address extends Pointer {
    Address() {}

    Address(long address) {
      super(address);
    }

    /** One to the start of a segment outside of the heap. */
    static Address of(MemorySegment segment) {
      return new Address(segment.address());
    }

    long value() {
      return getNativePointer() + getByteOffset();
    }
  }
}
