package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Problem;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** What a call of the driver answered. */
final class Call {
  private Call() {}

  /**
   * Demands success.
   *
   * @param result what the call answered
   * @param call its name in the CUDA Driver API
   * @param what it was made for, in words
   * @throws DriverCallException with the driver's name of the error
   * @throws MemoryException where the device has too little memory for it
   */
  static void check(int result, String call, String what) {
    switch (result) {
      case CUresult.CUDA_SUCCESS -> {}
      case CUresult.CUDA_ERROR_OUT_OF_MEMORY ->
          throw new MemoryException(problem(result, call, what));
      default -> throw new DriverCallException(problem(result, call, what), result);
    }
  }

  /** What a failure is told as, with what to do about it. */
  static Problem problem(int result, String call, String what) {
    String got = name(result) + " (" + result + ", " + text(result) + ")";
    return new Problem("gpu", call, what, got, Advice.on(result));
  }

  private static String name(int result) {
    String[] name = {""};
    return JCudaDriver.cuGetErrorName(result, name) == CUresult.CUDA_SUCCESS ? name[0] : "an error";
  }

  private static String text(int result) {
    String[] text = {""};
    return JCudaDriver.cuGetErrorString(result, text) == CUresult.CUDA_SUCCESS
        ? text[0]
        : "of which the driver says nothing more";
  }
}
