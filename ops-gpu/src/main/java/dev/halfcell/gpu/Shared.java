package dev.halfcell.gpu;

import dev.halfcell.gpu.kernel.Code;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the plans of a backend have in common.
 *
 * @param queue the order in which the device works
 * @param code what it runs
 * @param residents the variables that are on the device
 * @param open the plans that have not been closed
 * @param notices what they do in another way than they were to
 */
record Shared(
    GpuQueue queue, Code code, ResidentState residents, Set<GpuPlan> open, Notices notices) {
  static Shared on(GpuQueue queue, Code code) {
    return new Shared(
        queue, code, new ResidentState(queue), ConcurrentHashMap.newKeySet(), new Notices());
  }
}
