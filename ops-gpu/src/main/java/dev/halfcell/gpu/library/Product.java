package dev.halfcell.gpu.library;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.driver.LibraryException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A product of matrices as cuBLASLt will compute it: all that it has to be told, and the algorithms
 * that it offers.
 */
final class Product implements LibraryCall {
  /** Halves in 16 bytes. */
  private static final int ALIGNED = 8;

  private final boolean biased;
  private final CublasLtFunctions functions;
  private final long handle;
  private final Arena arena = Arena.ofShared();
  private final Descriptors descriptors;
  private final List<Algorithm> algorithms;
  private final MemorySegment one;
  private final MemorySegment zero;

  /**
   * Asks for it.
   *
   * @throws LibraryException where the library has no algorithm for it
   */
  Product(CublasLtFunctions functions, long handle, Multiplication of) {
    requireRoundedOnce(functions, of);
    this.biased = of.ending().biased();
    this.functions = functions;
    this.handle = handle;
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

  /**
   * cuBLASLt 13.1 rounds to BF16 before it adds a bias where lines are off boundaries of 16 bytes:
   * seen on an H200, of [17, 8] by [8, 13] and of [24, 5] by [5, 16].
   */
  private static void requireRoundedOnce(CublasLtFunctions functions, Multiplication of) {
    boolean aligned = of.size().n() % ALIGNED == 0 && of.size().k() % ALIGNED == 0;
    if (of.ending().biased() && of.out() == DType.BF16 && !aligned) {
      throw new LibraryException(
          new Problem(
              "gpu",
              functions.heuristic.name(),
              "lines on boundaries of 16 bytes, where a bias is added in BF16",
              of.toString(),
              ""));
    }
  }

  private Algorithm algorithm() {
    return algorithms.getFirst();
  }

  @Override
  public long workspaceBytes() {
    return algorithm().workspaceBytes();
  }

  @Override
  public void queue(GpuStream stream, LibraryTask.Place place) {
    if (biased) {
      synchronized (descriptors) { // which say where the bias of one call lies
        descriptors.bias(place.bias().address());
        multiply(stream, place);
      }
    } else {
      multiply(stream, place);
    }
  }

  private void multiply(GpuStream stream, LibraryTask.Place place) {
    functions.require(
        functions.multiply,
        handle,
        descriptors.operation(),
        one,
        place.b().address(),
        descriptors.first(),
        place.a().address(),
        descriptors.second(),
        zero,
        place.y().address(),
        descriptors.result(),
        place.y().address(),
        descriptors.result(),
        algorithm().description(),
        place.workspace().address(),
        place.workspace().bytes(),
        stream.address());
  }

  @Override
  public void close() {
    descriptors.close();
    arena.close();
  }
}
