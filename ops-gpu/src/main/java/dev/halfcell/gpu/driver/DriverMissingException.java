package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.Problem;

/** There is no NVIDIA driver or no GPU, or none that can be used. */
public final class DriverMissingException extends GpuException {
  DriverMissingException(Problem problem) {
    super(problem);
  }

  DriverMissingException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
