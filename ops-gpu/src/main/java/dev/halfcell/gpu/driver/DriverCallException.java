package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.Problem;
import jcuda.driver.CUresult;

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

  /** Whether it only ended a recording: nothing has run, and all can be done without one. */
  public boolean endedCapture() {
    return code >= CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
        && code <= CUresult.CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  }
}
