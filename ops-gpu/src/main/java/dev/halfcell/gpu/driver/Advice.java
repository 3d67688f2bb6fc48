package dev.halfcell.gpu.driver;

import jcuda.driver.CUresult;

/** What a user can do about an error of the driver. Source: CUDA Driver API, {@code CUresult}. */
final class Advice {
  /** Of memory of the device. */
  static final String FREE_THE_GPU =
      "Free the GPU, whose users nvidia-smi shows, or take a smaller batch or a higher level.";

  private Advice() {}

  /** A sentence; empty where nothing is known that helps. */
  static String on(int result) {
    return switch (result) {
      case CUresult.CUDA_ERROR_OUT_OF_MEMORY -> FREE_THE_GPU;
      case CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS ->
          "This is a defect of a kernel; please report it. The process has to be started again.";
      case CUresult.CUDA_ERROR_ECC_UNCORRECTABLE ->
          "The GPU's memory failed: start the process again; nvidia-smi -q counts such errors.";
      case CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU ->
          "Update the NVIDIA driver: HalfCell needs 525 or newer and a GPU of compute capability 8.0"
              + " or higher.";
      default -> onTheSystem(result);
    };
  }

  /** Where no GPU can be opened at all. */
  private static String onTheSystem(int result) {
    return switch (result) {
      case CUresult.CUDA_ERROR_NO_DEVICE ->
          "See whether nvidia-smi lists a GPU and CUDA_VISIBLE_DEVICES names one, or train with"
              + " --device cpu.";
      case CUresult.CUDA_ERROR_STUB_LIBRARY ->
          "This libcuda.so.1 is only for linking: take its folder from LD_LIBRARY_PATH.";
      case CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE ->
          "See who has the GPU to itself (nvidia-smi), and that its compute mode lets processes use"
              + " it (nvidia-smi -q).";
      case CUresult.CUDA_ERROR_SYSTEM_NOT_READY ->
          "See whether the service nvidia-fabricmanager runs, or train with --device cpu.";
      case CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH ->
          "The driver's library is of another version than its module: restart the machine after an"
              + " update, or give a container the library of its host.";
      case CUresult.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE ->
          "Take CUDA's compatibility libraries from LD_LIBRARY_PATH, or update the driver.";
      case CUresult.CUDA_ERROR_UNKNOWN ->
          "See what nvidia-smi and dmesg say. Where no GPU was used before, the module nvidia_uvm"
              + " may not be loaded.";
      default -> "";
    };
  }
}
