package dev.halfcell.gpu.library;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.driver.LibraryException;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/**
 * A product of matrices as cuBLASLt will compute it: all that it has to be told, and the algorithms
 * that it offers. It lives as long as the library. Threads may share it.
 */
public final class Product {
  private final CublasLtFunctions functions;
  private final long handle;
  private final Arena arena = Arena.ofShared();
  private final Descriptors descriptors;
  private final List<Algorithm> algorithms;
  private final MemorySegment one;
  private final MemorySegment zero;
  private final Consumer<LibraryException> onFailure;
  private volatile boolean failed;

  /**
   * Asks for it.
   *
   * @param onFailure is told when a launch of it fails
   * @throws LibraryException where the library has no algorithm for it
   */
  Product(
      CublasLtFunctions functions,
      long handle,
      Multiplication of,
      Consumer<LibraryException> onFailure) {
    this.functions = functions;
    this.handle = handle;
    this.onFailure = onFailure;
    this.one = arena.allocateFrom(JAVA_FLOAT, 1);
    this.zero = arena.allocateFrom(JAVA_FLOAT, 0);
    this.descriptors = new Descriptors(functions, of);
    try {
      this.algorithms = Algorithm.offered(functions, handle, descriptors, of.out(), arena);
      if (algorithms.isEmpty()) {
        throw new LibraryException(
            new Problem("gpu", functions.heuristic.name(), "an algorithm for " + of, "none", ""));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private Algorithm algorithm() {
    return algorithms.getFirst();
  }

  /** Whether no launch of it has failed. */
  boolean usable() {
    return !failed;
  }

  /** The bytes of memory that it needs while it runs, on a boundary of 256; may be 0. */
  public long workspaceBytes() {
    return algorithm().workspaceBytes();
  }

  /** Where a product finds what it reads, fills and works in. */
  public record Place(DeviceMemory a, DeviceMemory b, DeviceMemory y, DeviceMemory workspace) {
    private boolean aligned() {
      return (a.address() | b.address() | y.address()) % Algorithm.ALIGNMENT == 0;
    }
  }

  /**
   * Queues it, or records it where the stream is captured. Nothing is taken, and nothing waited
   * for.
   *
   * @return false, now and from now on, where the library refuses; nothing is queued then
   */
  public boolean queue(GpuStream stream, Place place) {
    if (!place.aligned()) {
      throw new IllegalArgumentException("matrices off their boundaries: " + place);
    }
    if (failed) {
      return false;
    }
    try {
      functions.require(
          functions.multiply,
          handle,
          descriptors.operation(),
          one,
          place.b.address(),
          descriptors.first(),
          place.a.address(),
          descriptors.second(),
          zero,
          place.y.address(),
          descriptors.result(),
          place.y.address(),
          descriptors.result(),
          algorithm().description(),
          place.workspace.address(),
          place.workspace.bytes(),
          stream.address());
      return true;
    } catch (LibraryException e) {
      failed = true;
      onFailure.accept(e);
      return false;
    }
  }

  void close() {
    descriptors.close();
    arena.close();
  }
}
