package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.tensor.Residence;
import dev.halfcell.tensor.Tensor;

/**
 * A result of a plan: the step brings it along if it is small, else it is copied to the host when
 * it is read first after a run.
 */
final class GivenResult implements Residence {
  private final GpuQueue queue;
  private final Problems problems;
  private final DeviceMemory memory;
  private final Tensor tensor;
  private final Readback readback;
  private boolean deviceIsNewer;

  /**
   * A result.
   *
   * @param memory where it lies on the device
   * @param tensor where it lies on the host
   * @param readback what the step brings along
   */
  GivenResult(
      GpuQueue queue, Problems problems, DeviceMemory memory, Tensor tensor, Readback readback) {
    this.queue = queue;
    this.problems = problems;
    this.memory = memory;
    this.tensor = tensor;
    this.readback = readback;
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
      if (readback.brings(memory)) {
        tensor.host().copyFrom(readback.read(memory));
      } else {
        queue.downloadNow(memory, tensor.host());
      }
      deviceIsNewer = false;
    }
  }

  @Override
  public synchronized void written() {
    deviceIsNewer = false;
  }
}
