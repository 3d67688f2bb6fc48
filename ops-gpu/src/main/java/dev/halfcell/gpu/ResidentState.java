package dev.halfcell.gpu;

import dev.halfcell.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;

/**
 * The variables that plans of a backend hold on the device. Several plans of one state share them;
 * when the last is closed they come home. Threads may share it who are {@linkplain GpuQueue#alone
 * alone} when they use it.
 */
final class ResidentState {
  private final GpuQueue queue;
  private final Map<Tensor, ResidentTensor> residents = new HashMap<>();

  ResidentState(GpuQueue queue) {
    this.queue = queue;
  }

  /** The device's side of a variable, until {@link #giveBack}. */
  synchronized ResidentTensor take(Tensor tensor) {
    ResidentTensor resident =
        residents.computeIfAbsent(
            tensor,
            each -> {
              ResidentTensor made = new ResidentTensor(queue, each);
              each.reside(made);
              return made;
            });
    resident.take();
    return resident;
  }

  /** Ends the use of what was taken. */
  synchronized void giveBack(Tensor tensor) {
    ResidentTensor resident = residents.get(tensor);
    if (resident != null && resident.giveBack()) {
      residents.remove(tensor);
      resident.end();
      tensor.leave();
    }
  }
}
