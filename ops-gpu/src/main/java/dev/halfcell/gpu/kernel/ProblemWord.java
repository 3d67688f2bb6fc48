package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;

/**
 * Three words of device memory in which kernels note data that cannot be computed on, so that a
 * step with such data assigns nothing: the number of the task, and below it that of the row, of
 * which the smallest stays; then what was found there, and a 0 once that is written. {@link #NONE}
 * says that there is none.
 *
 * @param task the number of the task that would note it
 */
public record ProblemWord(DeviceMemory memory, int task) {
  /** Nothing is wrong. */
  public static final long NONE = -1;

  /** The bytes of all words. */
  public static final long BYTES = 24;

  private static final int ROW_BITS = 40;

  Argument argument() {
    return new Argument.Address(memory);
  }

  /** What a kernel adds to the row. */
  Argument base() {
    return new Argument.Int64((long) task << ROW_BITS);
  }

  /** The number of the task that noted this word. */
  public static int task(long word) {
    return Math.toIntExact(word >>> ROW_BITS);
  }

  /** The row that this word tells of. */
  public static long row(long word) {
    return word & ((1L << ROW_BITS) - 1);
  }
}
