package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.Problem;

/** A call of the driver answered with an error. */
public final class DriverCallException extends GpuException {
  private final int code;

  DriverCallException(Problem problem, int code) {
    super(problem);
    this.code = code;
  }

  /** The driver's number of the error: {@code CUresult} of the CUDA Driver API. */
  public int code() {
    return code;
  }
}
