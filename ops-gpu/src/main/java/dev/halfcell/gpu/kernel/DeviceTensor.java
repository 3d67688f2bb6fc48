package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.tensor.TensorSpec;

/** Elements in the memory of a device, densely, the last axis fastest. */
public record DeviceTensor(TensorSpec spec, DeviceMemory memory) {
  Argument.Address argument() {
    return new Argument.Address(memory);
  }

  /** How many elements it has, as kernels count. */
  Argument size() {
    return new Argument.Int64(spec.size());
  }
}
