package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.library.ConvolutionProblem;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;

/** Pixels of images in half whose channels lie last, by eight: {@code pixels.cu}. */
final class PixelKernels {
  private PixelKernels() {}

  /** Whether the channels of the image are runs. */
  static boolean fit(ConvolutionProblem problem) {
    return problem.shapes().image().dim(1) % KernelLaunch.RUN == 0;
  }

  /** The bytes of the pixels that windows of 1 x 1 meet. */
  static long bytes(ConvolutionProblem problem) {
    Shape windows = problem.shapes().windows();
    return windows.size() / windows.dim(1) * problem.shapes().image().dim(1) * problem.in().bytes();
  }

  /** Copies the pixels that windows of 1 x 1 meet, without padding. */
  static Launch met(
      KernelLibrary kernels, ConvolutionProblem problem, DeviceMemory x, DeviceMemory to) {
    Shape image = problem.shapes().image();
    Shape windows = problem.shapes().windows();
    long runs = bytes(problem) / DType.FP16.bytes() / KernelLaunch.RUN;
    return KernelLaunch.each(
        kernels.kernel("pixels", "every_pixel_2"),
        runs,
        new Argument.Address(x),
        new Argument.Address(to),
        new Argument.Words(
            List.of(
                (long) windows.dim(2),
                (long) windows.dim(3),
                (long) image.dim(2),
                (long) image.dim(3),
                (long) image.dim(1),
                (long) problem.geometry().strideHeight(),
                (long) problem.geometry().strideWidth())),
        new Argument.Int64(runs));
  }
}
