package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.GpuDevice;

/**
 * cuDNN, opened for a device.
 *
 * @param most the most memory that one convolution may work in, in bytes
 */
record Cudnn(CudnnFunctions functions, long handle, long most)
    implements OpenedLibrary<ConvolutionProblem> {
  /**
   * Opens it.
   *
   * @param file its path, or its name for the loader
   * @throws dev.halfcell.gpu.driver.LibraryException where it cannot be used
   */
  static Cudnn open(GpuDevice device, String file) {
    device.enter();
    CudnnFunctions functions = CudnnFunctions.open(file);
    return new Cudnn(functions, functions.handle(), NvidiaLibrary.mostWorkspaceBytes(device));
  }

  @Override
  public String file() {
    return functions.file();
  }

  @Override
  public String version() {
    return functions.version();
  }

  @Override
  public LibraryCall make(ConvolutionProblem of) {
    return new CudnnConvolution(functions, handle, of, most);
  }

  @Override
  public void close() {
    functions.require(functions.destroy, handle);
  }
}
