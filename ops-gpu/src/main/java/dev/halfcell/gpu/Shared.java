package dev.halfcell.gpu;

import dev.halfcell.gpu.kernel.KernelLibrary;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the plans of a backend have in common.
 *
 * @param queue the order in which the device works
 * @param kernels what it runs
 * @param residents the variables that are on the device
 * @param open the plans that have not been closed
 */
record Shared(GpuQueue queue, KernelLibrary kernels, ResidentState residents, Set<GpuPlan> open) {
  static Shared on(GpuQueue queue) {
    return new Shared(
        queue,
        new KernelLibrary(queue.device()),
        new ResidentState(queue),
        ConcurrentHashMap.newKeySet());
  }
}
