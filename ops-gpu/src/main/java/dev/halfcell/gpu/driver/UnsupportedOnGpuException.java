package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.Problem;

/** Something that this backend does not compute. */
public final class UnsupportedOnGpuException extends GpuException {
  public UnsupportedOnGpuException(Problem problem) {
    super(problem);
  }
}
