package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuStream;

/** A piece of a plan's work on certain memory. */
public sealed interface Launch permits KernelLaunch, LibraryLaunch {
  /** Queues it. */
  void on(GpuStream stream);
}
