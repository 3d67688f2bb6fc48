package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.tensor.Residence;
import dev.halfcell.tensor.Tensor;

/** A result of a plan, copied to the host when it is read first after a run. */
final class GivenResult implements Residence {
  private final GpuQueue queue;
  private final Problems problems;
  private final DeviceMemory memory;
  private final Tensor tensor;
  private boolean deviceIsNewer;

  /**
   * A result.
   *
   * @param memory where it lies on the device
   * @param tensor where it lies on the host
   */
  GivenResult(GpuQueue queue, Problems problems, DeviceMemory memory, Tensor tensor) {
    this.queue = queue;
    this.problems = problems;
    this.memory = memory;
    this.tensor = tensor;
    tensor.reside(this);
  }

  Tensor tensor() {
    return tensor;
  }

  /** The device has been told to write it. */
  synchronized void changed() {
    deviceIsNewer = true;
  }

  @Override
  public void fetch() {
    queue.alone(this::fetchAlone);
  }

  private synchronized void fetchAlone() {
    if (deviceIsNewer) {
      problems.check();
      queue.downloadNow(memory, tensor.host());
      deviceIsNewer = false;
    }
  }

  @Override
  public synchronized void written() {
    deviceIsNewer = false;
  }
}
