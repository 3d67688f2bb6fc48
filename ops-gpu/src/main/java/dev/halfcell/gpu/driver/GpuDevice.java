package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * One GPU. Its primary context is used, which libraries of NVIDIA share. A thread calls {@link
 * #enter} before it uses what belongs to the device. Threads may share it; what it makes serves one
 * at a time.
 */
public final class GpuDevice implements AutoCloseable {
  private static final int NAME = 256;

  /** CUDA 12.0, which came with driver 525; and the instructions of Ampere. */
  private static final int OLDEST_DRIVER = 12000;

  private static final int LEAST_CAPABILITY = 80;

  private final CUdevice device;
  private final CUcontext context;
  private boolean closed;

  private GpuDevice(CUdevice device, CUcontext context) {
    this.device = device;
    this.context = context;
  }

  /**
   * Opens a GPU.
   *
   * @param driver a file to take for {@code libcuda.so.1}; none for the one of the system
   * @param ordinal which of the machine's GPUs, from 0
   * @throws DriverMissingException where there is no driver or no such GPU, or too old a one
   * @throws MemoryException where others have taken its memory
   */
  public static GpuDevice open(Optional<Path> driver, int ordinal) {
    requirePlatformThread();
    DriverLibrary.load(driver);
    requireStarted(JCudaDriver.cuInit(0));
    int[] count = {0};
    Call.check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount", "the number of GPUs");
    if (ordinal < 0 || ordinal >= count[0]) {
      throw new DriverMissingException(
          new Problem("gpu", "", "GPU " + ordinal, count[0] + " GPUs", "Count them from 0."));
    }
    CUdevice device = new CUdevice();
    Call.check(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet", "GPU " + ordinal);
    CUcontext context = new CUcontext();
    GpuDevice opened = new GpuDevice(device, context);
    opened.requireNewEnough();
    Call.check(
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device),
        "cuDevicePrimaryCtxRetain",
        "the context of GPU " + ordinal);
    try {
      opened.enter();
    } catch (RuntimeException | Error e) {
      opened.closeAfter(e);
      throw e;
    }
    return opened;
  }

  private static void requireStarted(int result) {
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      throw new MemoryException(
          new Problem(
              "gpu",
              "cuInit",
              "memory of the machine, and addresses, for the driver",
              "too little of one of them",
              "Free memory of the machine, or raise the limit of the process (ulimit -v)."));
    }
    if (result != CUresult.CUDA_SUCCESS) {
      throw new DriverMissingException(Call.problem(result, "cuInit", "a driver that finds a GPU"));
    }
  }

  /** What is documented and tried; the driver itself would fail at some kernel or other. */
  private void requireNewEnough() {
    if (driverVersion() < OLDEST_DRIVER) {
      throw tooOld(
          "a driver of CUDA 12.0 or newer",
          "one of CUDA " + driverVersion() / 1000 + "." + driverVersion() % 1000 / 10,
          "Install driver 525 or newer, or train with --device cpu.");
    }
    if (capability() < LEAST_CAPABILITY) {
      throw tooOld(
          "a GPU of compute capability 8.0 or higher",
          name() + " of " + capability() / 10.0,
          "Train with --device cpu.");
    }
  }

  private static DriverMissingException tooOld(String expected, String got, String fix) {
    return new DriverMissingException(new Problem("gpu", "", expected, got, fix));
  }

  /**
   * Makes it the device of the calling thread.
   *
   * @throws UsageException on a virtual thread, which may change the thread it runs on at any time
   */
  public void enter() {
    requirePlatformThread();
    Call.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent", "an open context");
  }

  private static void requirePlatformThread() {
    if (Thread.currentThread().isVirtual()) {
      throw new UsageException(
          new Problem(
              "gpu",
              "",
              "a platform thread",
              "a virtual one",
              "Train and predict on a thread of an executor of platform threads."));
    }
  }

  /** What it is called. */
  public String name() {
    byte[] name = new byte[NAME];
    Call.check(
        JCudaDriver.cuDeviceGetName(name, NAME, device), "cuDeviceGetName", "the name of a GPU");
    String text = new String(name, StandardCharsets.UTF_8);
    return text.substring(0, text.indexOf('\0'));
  }

  /** Its compute capability in tenths: 90 is 9.0. */
  public int capability() {
    return 10 * attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        + attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  }

  /** How many blocks of threads can run at the same time at least: one on each multiprocessor. */
  public int multiprocessors() {
    return attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  }

  /** The bytes of shared memory that a block may have where its kernel asks for them. */
  public int mostSharedBytes() {
    return attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  }

  private int attribute(int which) {
    int[] value = {0};
    Call.check(
        JCudaDriver.cuDeviceGetAttribute(value, which, device),
        "cuDeviceGetAttribute",
        "attribute " + which);
    return value[0];
  }

  /** The newest CUDA that its driver knows: 13000 is 13.0. */
  public int driverVersion() {
    int[] version = {0};
    Call.check(JCudaDriver.cuDriverGetVersion(version), "cuDriverGetVersion", "a version");
    return version[0];
  }

  /** The bytes of its memory. */
  public long totalBytes() {
    long[] total = {0};
    Call.check(JCudaDriver.cuDeviceTotalMem(total, device), "cuDeviceTotalMem", "the GPU's memory");
    return total[0];
  }

  /** The bytes of its memory that nobody uses. It must be the device of this thread. */
  public long freeBytes() {
    long[] free = {0};
    long[] total = {0};
    Call.check(JCudaDriver.cuMemGetInfo(free, total), "cuMemGetInfo", "the GPU's memory");
    return free[0];
  }

  /** Takes memory of the device. */
  public GpuArena allocate(long bytes) {
    return GpuArena.of(this, bytes);
  }

  /** Takes memory of the host for copies. */
  public PinnedMemory pinned(long bytes) {
    return PinnedMemory.of(this, bytes);
  }

  /** A stream of its own. */
  public GpuStream stream() {
    return GpuStream.of(this);
  }

  /** An event. */
  public GpuEvent event() {
    return GpuEvent.of(this);
  }

  /** Has the driver assemble the kernels of a PTX text. */
  public GpuModule module(String name, String ptx) {
    return GpuModule.of(this, name, ptx);
  }

  /** Waits for all that runs on the device. */
  public void synchronize() {
    Call.check(JCudaDriver.cuCtxSynchronize(), "cuCtxSynchronize", "kernels that succeed");
  }

  /** Gives its context back. Why that had to be is what is told, and not that it could not. */
  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  /** Gives its context back. What it made is closed before. Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Call.check(
          JCudaDriver.cuDevicePrimaryCtxRelease(device),
          "cuDevicePrimaryCtxRelease",
          "the context of a GPU");
    }
  }
}
