package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.tensor.TensorSpec;

/** Sums that several blocks make in parts, so that a GPU is kept busy: {@code parts.cu}. */
final class Parts {
  private Parts() {}

  /**
   * y = bias + the sum of the parts, in order.
   *
   * @param parts FP32, each of the size of y
   * @param bias of the last axis of y, or {@link KernelLaunch#NONE}
   */
  static Launch sum(
      KernelLibrary kernels,
      DeviceMemory parts,
      Argument.Address bias,
      DeviceTensor y,
      long count) {
    TensorSpec spec = y.spec();
    int columns = spec.rank() == 0 ? 1 : spec.dim(spec.rank() - 1);
    return KernelLaunch.each(
        kernels.kernel("parts", "sum_of_parts", spec.dtype()),
        spec.size(),
        new Argument.Address(parts),
        bias,
        y.argument(),
        new Argument.Int64(count),
        new Argument.Int64(columns),
        y.size());
  }
}
