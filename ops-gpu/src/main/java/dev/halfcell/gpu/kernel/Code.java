package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.library.ProductLibrary;

/**
 * What the device can be made to run.
 *
 * @param kernels those of this module
 * @param products matrix products by a library of NVIDIA, if there is one
 */
public record Code(KernelLibrary kernels, ProductLibrary products) implements AutoCloseable {
  @Override
  public void close() {
    try {
      products.close();
    } finally {
      kernels.close();
    }
  }
}
