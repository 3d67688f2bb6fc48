package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.GpuDevice;

/** cuBLASLt, opened for a device. */
record CublasLt(CublasLtFunctions functions, long handle) implements OpenedLibrary<Multiplication> {
  /**
   * Opens it.
   *
   * @param file its path, or its name for the loader
   * @throws dev.halfcell.gpu.driver.LibraryException where it cannot be used
   */
  static CublasLt open(GpuDevice device, String file) {
    device.enter();
    CublasLtFunctions functions = CublasLtFunctions.open(file);
    return new CublasLt(functions, functions.make(functions.create));
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
  public LibraryCall make(Multiplication of) {
    return new Product(functions, handle, of);
  }

  @Override
  public void close() {
    functions.require(functions.destroy, handle);
  }
}
