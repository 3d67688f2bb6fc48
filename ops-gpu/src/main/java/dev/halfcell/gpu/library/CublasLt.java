package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.LibraryException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * cuBLASLt, opened for a device. What it was asked for once it remembers, so that a plan finds
 * everything made when it is captured, and knows what the library refuses. Threads may share it.
 */
final class CublasLt implements AutoCloseable {
  private final GpuDevice device;
  private final CublasLtFunctions functions;
  private final long handle;
  private final Map<Multiplication, Optional<Product>> products = new HashMap<>();
  private String refusal = "";

  private CublasLt(GpuDevice device, CublasLtFunctions functions, long handle) {
    this.device = device;
    this.functions = functions;
    this.handle = handle;
  }

  /**
   * Opens it.
   *
   * @param file its path, or its name for the loader
   * @throws LibraryException where it cannot be used
   */
  static CublasLt open(GpuDevice device, String file) {
    device.enter();
    CublasLtFunctions functions = CublasLtFunctions.open(file);
    return new CublasLt(device, functions, functions.make(functions.create));
  }

  /** The file that was opened and its version. */
  String file() {
    return functions.file();
  }

  String version() {
    return functions.version();
  }

  /** How it computes a product; none where it refuses. */
  synchronized Optional<Product> product(Multiplication of) {
    return products.computeIfAbsent(of.folded(), this::made).filter(Product::usable);
  }

  private Optional<Product> made(Multiplication of) {
    device.enter();
    try {
      return Optional.of(new Product(functions, handle, of, e -> refuse(of, e)));
    } catch (LibraryException e) {
      refuse(of, e);
      return Optional.empty();
    }
  }

  /** The first refusal is kept in words. */
  private synchronized void refuse(Multiplication of, LibraryException why) {
    if (refusal.isEmpty()) {
      refusal = of + ": " + why.getMessage();
    }
  }

  /** What it refused first, and why; empty where nothing. */
  synchronized String refusal() {
    return refusal;
  }

  /** Nothing of it may be queued any more. The library itself stays open. */
  @Override
  public synchronized void close() {
    products.values().forEach(each -> each.ifPresent(Product::close));
    products.clear();
    functions.require(functions.destroy, handle);
  }
}
