package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuModule;
import dev.halfcell.tensor.DType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The kernels of this module, each of them assembled by the driver when it is first used. */
public final class KernelLibrary implements AutoCloseable {
  private final GpuDevice device;
  private final int multiprocessors;
  private final int mostSharedBytes;
  private final Map<String, PtxText> files = new LinkedHashMap<>();
  private final Map<String, GpuModule> modules = new LinkedHashMap<>();
  private final Map<String, GpuKernel> kernels = new LinkedHashMap<>();

  /** The kernels for a device. */
  public KernelLibrary(GpuDevice device) {
    this.device = device;
    this.multiprocessors = device.multiprocessors();
    this.mostSharedBytes = device.mostSharedBytes();
  }

  /** See {@link GpuDevice#multiprocessors}. */
  int multiprocessors() {
    return multiprocessors;
  }

  /** See {@link GpuDevice#mostSharedBytes}. */
  int mostSharedBytes() {
    return mostSharedBytes;
  }

  /** A kernel by its name and that of its file. */
  synchronized GpuKernel kernel(String file, String name) {
    return kernels.computeIfAbsent(name, _ -> module(file, name).kernel(name));
  }

  /** The instance of a kernel for a floating dtype. */
  GpuKernel kernel(String file, String name, DType dtype) {
    return kernel(file, name + "_" + dtype.label());
  }

  /** The same with so many bytes of shared memory for a block. */
  GpuKernel kernel(String file, String name, DType dtype, int sharedBytes) {
    return kernel(file, name, dtype).sharing(sharedBytes, mostSharedBytes);
  }

  private GpuModule module(String file, String kernel) {
    PtxText text = files.computeIfAbsent(file, KernelLibrary::read);
    return modules.computeIfAbsent(kernel, _ -> device.module(kernel, text.alone(kernel)));
  }

  /** The text of a file of kernels. */
  static PtxText read(String file) {
    try (InputStream in = KernelLibrary.class.getResourceAsStream(file + ".ptx")) {
      if (in == null) {
        throw new IllegalStateException("there are no kernels " + file);
      }
      return PtxText.of(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    modules.values().forEach(GpuModule::close);
    modules.clear();
    kernels.clear();
  }
}
