package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;

/** The end of a step, on the device: {@code state.cu}. */
public final class Assignment {
  private Assignment() {}

  /**
   * {@code to} becomes {@code from}, unless the byte {@code apply} is 0 or there was a problem.
   *
   * @param problem where kernels note what cannot be computed on
   */
  public static Launch of(
      KernelLibrary kernels,
      DeviceMemory from,
      DeviceMemory to,
      DeviceMemory apply,
      DeviceMemory problem) {
    return KernelLaunch.each(
        kernels.kernel("state", "assign"),
        to.bytes(),
        new Argument.Address(from),
        new Argument.Address(to),
        new Argument.Address(apply),
        new Argument.Address(problem),
        new Argument.Int64(to.bytes()));
  }
}
