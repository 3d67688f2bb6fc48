package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import java.util.List;

/**
 * Three words of device memory in which kernels note data that cannot be computed on, so that a
 * step with such data assigns nothing: the number of the task, and below it that of a place in the
 * data as the task's op counts them, of which the smallest stays; then what was found there, and a
 * 0 once that is written. {@link #NONE} says that there is none. See {@code problem.cuh}.
 *
 * @param task the number of the task that would note it
 */
public record ProblemWord(DeviceMemory memory, int task) {
  /** Nothing is wrong. */
  public static final long NONE = -1;

  /** The bytes of all words. */
  public static final long BYTES = 24;

  private static final int PLACE_BITS = 40;

  Argument argument() {
    return new Argument.Address(memory);
  }

  /** What a kernel adds to the place. */
  Argument base() {
    return new Argument.Int64((long) task << PLACE_BITS);
  }

  /**
   * What is launched behind kernels that note places in {@code values}: it keeps what was found,
   * before the values are overwritten.
   */
  Launch completed(KernelLibrary kernels, DeviceTensor values) {
    return new KernelLaunch(
        kernels.kernel("problem", "complete_problem"),
        Size.of(1),
        Size.of(1),
        List.of(
            values.argument(),
            new Argument.Int32(values.spec().dtype().bytes()),
            argument(),
            base()));
  }

  /** The number of the task that noted this word. */
  public static int task(long word) {
    return Math.toIntExact(word >>> PLACE_BITS);
  }

  /** The place that this word tells of. */
  public static long place(long word) {
    return word & ((1L << PLACE_BITS) - 1);
  }
}
