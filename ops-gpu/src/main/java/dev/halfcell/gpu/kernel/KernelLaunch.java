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

  /** One block. */
  static Launch block(GpuKernel kernel, Argument... arguments) {
    return each(kernel, THREADS, arguments);
  }

  @Override
  public void on(GpuStream stream) {
    kernel.launch(stream, grid, block, arguments);
  }
}
