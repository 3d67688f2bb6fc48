package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Problem;

/** The branch of {@link HalfCellException} that the GPU backend throws. */
public abstract sealed class GpuException extends HalfCellException
    permits DriverCallException, DriverMissingException, LibraryException {
  GpuException(Problem problem) {
    super(problem);
  }

  GpuException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
