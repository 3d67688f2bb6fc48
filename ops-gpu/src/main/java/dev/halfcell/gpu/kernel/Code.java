package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.library.ConvolutionProblem;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.gpu.library.NvidiaLibrary;

/**
 * What the device can be made to run.
 *
 * @param kernels those of this module
 * @param products matrix products by a library of NVIDIA, if there is one
 * @param convolutions those by another, if there is one
 */
public record Code(
    KernelLibrary kernels,
    NvidiaLibrary<Multiplication> products,
    NvidiaLibrary<ConvolutionProblem> convolutions)
    implements AutoCloseable {
  /** How many tasks the libraries have given up so far, which own kernels compute from then on. */
  public long lostTasks() {
    return products.lostTasks() + convolutions.lostTasks();
  }

  @Override
  public void close() {
    try (kernels;
        products) {
      convolutions.close();
    }
  }
}
