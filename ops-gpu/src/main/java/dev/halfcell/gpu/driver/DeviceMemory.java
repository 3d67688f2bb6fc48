package dev.halfcell.gpu.driver;

import jcuda.driver.CUdeviceptr;

/**
 * A piece of a device's memory.
 *
 * @param address where it starts, on the device
 */
public record DeviceMemory(long address, long bytes) {
  /** No memory. */
  public static final DeviceMemory NONE = new DeviceMemory(0, 0);

  /** A part of it. */
  public DeviceMemory slice(long offset, long size) {
    if (offset < 0 || size < 0 || size > bytes - offset) {
      throw new IndexOutOfBoundsException(
          "bytes " + offset + " to " + (offset + size) + " of " + bytes);
    }
    return new DeviceMemory(address + offset, size);
  }

  /** Fails unless what is copied to it or from it has as many bytes. */
  public void requireSize(long others) {
    if (bytes != others) {
      throw new IllegalArgumentException("a copy between " + bytes + " bytes and " + others);
    }
  }

  CUdeviceptr pointer() {
    return new Address(address);
  }

  /** JCuda keeps the number of an address to itself and its heirs. */
  static final class Address extends CUdeviceptr {
    Address() {}

    Address(long address) {
      super(new CUdeviceptr(), address);
    }

    long value() {
      return getNativePointer() + getByteOffset();
    }
  }
}
