package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuArena;
import dev.halfcell.tensor.Residence;
import dev.halfcell.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A tensor that is on the host and on the device, of which one may be newer. Threads may share it.
 */
final class ResidentTensor implements Residence {
  private final GpuQueue queue;
  private final GpuArena arena;
  private final MemorySegment host;
  private int users;
  private boolean deviceIsNewer;
  private boolean hostIsNewer = true;
  private Optional<Readback> broughtBy = Optional.empty();

  /** One for {@code tensor}, of whose elements only the host knows. */
  ResidentTensor(GpuQueue queue, Tensor tensor) {
    this.queue = queue;
    this.host = tensor.host();
    this.arena = queue.device().allocate(tensor.spec().bytes());
  }

  DeviceMemory memory() {
    return arena.memory();
  }

  /** Brings what the host wrote to the device. */
  void upload() {
    queue.alone(this::uploadAlone);
  }

  private synchronized void uploadAlone() {
    if (hostIsNewer) {
      queue.uploadNow(host, arena.memory());
      hostIsNewer = false;
    }
  }

  /** The device has been told to write it, by a step that brings this along. */
  synchronized void changed(Readback by) {
    deviceIsNewer = true;
    broughtBy = Optional.of(by).filter(readback -> readback.brings(memory()));
  }

  /** Nothing is read from there any more. */
  synchronized void leave(Readback readback) {
    broughtBy = broughtBy.filter(by -> by != readback);
  }

  @Override
  public void fetch() {
    queue.alone(this::fetchAlone);
  }

  private synchronized void fetchAlone() {
    if (deviceIsNewer) {
      broughtBy.ifPresentOrElse(
          by -> host.copyFrom(by.read(memory())), () -> queue.downloadNow(memory(), host));
      deviceIsNewer = false;
    }
  }

  @Override
  public synchronized void written() {
    hostIsNewer = true;
  }

  /** Another plan reads it. */
  synchronized void take() {
    users++;
  }

  /** A plan reads it no more; whether it was the last. */
  synchronized boolean giveBack() {
    users--;
    return users == 0;
  }

  /** Brings it home, if there still is one, and frees the device's memory. */
  void end() {
    queue.alone(
        () -> {
          if (host.scope().isAlive()) {
            fetch();
          }
          arena.close();
        });
  }
}
