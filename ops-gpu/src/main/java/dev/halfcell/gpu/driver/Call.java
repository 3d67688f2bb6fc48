package dev.halfcell.gpu.driver;

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
   */
  static void check(int result, String call, String what) {
    if (result != CUresult.CUDA_SUCCESS) {
      throw new DriverCallException(
          new Problem(
              "gpu",
              call,
              what,
              name(result) + " (" + result + ", " + text(result) + ")",
              fix(result)),
          result);
    }
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

  private static String fix(int result) {
    return switch (result) {
      case CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS ->
          "This is a defect of a kernel; please report it. The process has to be started again.";
      case CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU ->
          "Update the NVIDIA driver: HalfCell needs 525 or newer and a GPU of compute capability 8.0"
              + " or higher.";
      default -> "";
    };
  }
}
