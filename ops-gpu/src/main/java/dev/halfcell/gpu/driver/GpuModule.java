package dev.halfcell.gpu.driver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/** Kernels that were loaded together. */
public final class GpuModule implements AutoCloseable {
  private final GpuDevice device;
  private final String name;
  private final CUmodule module;
  private boolean closed;

  private GpuModule(GpuDevice device, String name, CUmodule module) {
    this.device = device;
    this.name = name;
    this.module = module;
  }

  /**
   * Has the driver assemble kernels.
   *
   * @param name for messages
   * @param ptx their text
   */
  static GpuModule of(GpuDevice device, String name, String ptx) {
    byte[] text = ptx.getBytes(StandardCharsets.US_ASCII);
    CUmodule module = new CUmodule();
    Call.check(
        JCudaDriver.cuModuleLoadData(module, Arrays.copyOf(text, text.length + 1)),
        "cuModuleLoadData",
        "the kernels of " + name + " assembled");
    return new GpuModule(device, name, module);
  }

  /** One of them. It lives as long as this. */
  public GpuKernel kernel(String kernel) {
    CUfunction function = new CUfunction();
    Call.check(
        JCudaDriver.cuModuleGetFunction(function, module, kernel),
        "cuModuleGetFunction",
        "kernel " + kernel + " in " + name);
    return new GpuKernel(kernel, function);
  }

  /** Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      device.enter();
      Call.check(JCudaDriver.cuModuleUnload(module), "cuModuleUnload", "a module");
    }
  }
}
