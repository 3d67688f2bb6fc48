package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * What a parser takes of the heap for a file of some size. All that it allocates is counted, so
 * what it holds at once is less.
 */
public final class Allocations {
  private static final long LEAST_BOUND = 64L << 20;
  private static final int PER_BYTE = 4;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /**
   * Parses, and fails where that allocates more than 64 MiB and four bytes for each of the input.
   * What is more the first time alone is of classes, which were loaded and instrumented.
   */
  public static void bounded(int inputBytes, Executable parsing) throws Throwable {
    long bound = LEAST_BOUND + PER_BYTE * (long) inputBytes;
    if (by(parsing) > bound) {
      long allocated = by(parsing);
      assertTrue(
          allocated <= bound,
          () -> allocated + " bytes for an input of " + inputBytes + ", at most " + bound);
    }
  }

  private static long by(Executable parsing) throws Throwable {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    parsing.execute();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
