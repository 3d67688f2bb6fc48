package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.gpu.driver.GpuStream;
import java.util.List;

/** One run of a kernel. */
record KernelLaunch(GpuKernel kernel, Size grid, Size block, List<Argument> arguments)
    implements Launch {
  /** The threads of a block where each of them has an element. */
  static final int THREADS = 256;

  /** The neighbours that a thread takes at once in kernels that take runs: {@code run.cuh}. */
  static final int RUN = 8;

  /** The bytes of the largest piece in which such a kernel moves a run. */
  private static final int BOUNDARY = 16;

  /** In place of memory that a kernel does not need. */
  static final Argument.Address NONE = new Argument.Address(DeviceMemory.NONE);

  KernelLaunch {
    arguments = List.copyOf(arguments);
  }

  /** A thread for each of {@code n} elements, at least one block. */
  static Launch each(GpuKernel kernel, long n, Argument... arguments) {
    Size grid = Size.of(Math.max(1, Math.ceilDiv(n, THREADS)));
    return new KernelLaunch(kernel, grid, Size.of(THREADS), List.of(arguments));
  }

  /** The same with a list. */
  static Launch each(GpuKernel kernel, long n, List<Argument> arguments) {
    return each(kernel, n, arguments.toArray(Argument[]::new));
  }

  /**
   * A thread for each run of neighbours of {@code n} elements, the last of which may be short.
   *
   * @throws IllegalArgumentException where memory starts off a boundary on which runs are read
   */
  static Launch runs(GpuKernel kernel, long n, List<Argument> arguments) {
    for (Argument each : arguments) {
      if (each instanceof Argument.Address(DeviceMemory memory)
          && memory.address() % BOUNDARY != 0) {
        throw new IllegalArgumentException(kernel.name() + " of " + memory + " off its boundary");
      }
    }
    return each(kernel, Math.ceilDiv(n, RUN), arguments);
  }

  /** One block. */
  static Launch block(GpuKernel kernel, Argument... arguments) {
    return each(kernel, THREADS, arguments);
  }

  @Override
  public void on(GpuStream stream) {
    kernel.launch(stream, grid, block, arguments);
  }
}
