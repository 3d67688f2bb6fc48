package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.Problem;

/** There is no NVIDIA driver, none that can be used, or no GPU. */
public final class DriverMissingException extends GpuException {
  DriverMissingException(Problem problem) {
    super(problem);
  }

  DriverMissingException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
