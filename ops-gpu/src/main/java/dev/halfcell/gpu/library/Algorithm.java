package dev.halfcell.gpu.library;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.halfcell.tensor.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A way to compute a product that cuBLASLt offers.
 *
 * @param description what the library wants to be handed again: {@code cublasLtMatmulAlgo_t}
 * @param workspaceBytes that it needs while it runs
 */
record Algorithm(MemorySegment description, long workspaceBytes) {
  /** The most that an algorithm may take: what NVIDIA advises for Hopper. */
  private static final long MOST_WORKSPACE = 32L << 20;

  private static final int MOST_OFFERS = 8;

  // cublasLtMatmulHeuristicResult_t: the algorithm, a size_t, an int, a float and four ints.
  private static final long DESCRIPTION = 64;
  private static final long WORKSPACE_AT = 64;
  private static final long STATE_AT = 72;
  private static final long OFFER = 96;

  private static final int WORKSPACE = 1;
  private static final int REDUCTIONS = 3;
  private static final int ALIGNMENT_OF_FIRST = 5;
  private static final int ALIGNMENT_OF_LAST = 8;

  /** Partial sums wait in the dtype of the sum. */
  private static final int REDUCTION_IN_SUM = 2;

  /** They may also wait in the dtype of the result, where that is the dtype of the sum. */
  private static final int ANY_REDUCTION = 7;

  /**
   * Those that the library offers for a product, the one that it thinks the fastest first.
   *
   * @param arena where their descriptions live
   * @return none where it has none for this product
   * @throws dev.halfcell.gpu.driver.LibraryException where it refuses the product
   */
  static List<Algorithm> offered(
      CublasLtFunctions functions, long handle, Descriptors descriptors, DType out, Arena arena) {
    long preference = functions.make(functions.preferenceCreate);
    try {
      prefer(functions, preference, out);
      MemorySegment offers = arena.allocate(OFFER * MOST_OFFERS, Long.BYTES);
      MemorySegment count = arena.allocate(JAVA_INT);
      functions.require(
          functions.heuristic,
          handle,
          descriptors.operation(),
          descriptors.first(),
          descriptors.second(),
          descriptors.result(),
          descriptors.result(),
          preference,
          MOST_OFFERS,
          offers,
          count);
      return read(offers.asSlice(0, OFFER * count.get(JAVA_INT, 0)));
    } finally {
      functions.require(functions.preferenceDestroy, preference);
    }
  }

  private static void prefer(CublasLtFunctions functions, long preference, DType out) {
    int reductions = out == DType.FP32 ? ANY_REDUCTION : REDUCTION_IN_SUM;
    functions.set(functions.preferenceSet, preference, WORKSPACE, MOST_WORKSPACE);
    functions.set(functions.preferenceSet, preference, REDUCTIONS, reductions);
    for (int matrix = ALIGNMENT_OF_FIRST; matrix <= ALIGNMENT_OF_LAST; matrix++) {
      functions.set(functions.preferenceSet, preference, matrix, LibraryTask.ALIGNMENT);
    }
  }

  private static List<Algorithm> read(MemorySegment offers) {
    List<Algorithm> algorithms = new ArrayList<>();
    for (long at = 0; at < offers.byteSize(); at += OFFER) {
      if (offers.get(JAVA_INT, at + STATE_AT) == 0) {
        algorithms.add(
            new Algorithm(
                offers.asSlice(at, DESCRIPTION), offers.get(JAVA_LONG, at + WORKSPACE_AT)));
      }
    }
    return algorithms;
  }
}
