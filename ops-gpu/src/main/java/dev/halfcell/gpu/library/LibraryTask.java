package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.driver.LibraryException;
import java.util.function.Consumer;

/**
 * Something that a library of NVIDIA computes, until it fails. It lives as long as the library.
 * Threads may share it.
 */
public final class LibraryTask {
  /** Where plans put tensors: at multiples of so many bytes. */
  static final int ALIGNMENT = 64;

  private final LibraryCall call;
  private final Consumer<LibraryException> onFailure;
  private volatile boolean failed;

  /**
   * Makes one.
   *
   * @param onFailure is told when a launch of it fails
   */
  LibraryTask(LibraryCall call, Consumer<LibraryException> onFailure) {
    this.call = call;
    this.onFailure = onFailure;
  }

  /** Whether no launch of it has failed. */
  boolean usable() {
    return !failed;
  }

  /** The bytes of memory that it needs while it runs, on a boundary of 256; may be 0. */
  public long workspaceBytes() {
    return call.workspaceBytes();
  }

  /**
   * Where it finds its two operands, what it fills and what it works in.
   *
   * @param bias empty where there is none
   */
  public record Place(
      DeviceMemory a, DeviceMemory b, DeviceMemory bias, DeviceMemory y, DeviceMemory workspace) {
    private boolean aligned() {
      return (a.address() | b.address() | y.address()) % ALIGNMENT == 0;
    }
  }

  /**
   * Queues it, or records it where the stream is captured. Nothing is taken, and nothing waited
   * for.
   *
   * @throws dev.halfcell.gpu.driver.DriverCallException where what is being recorded is lost
   *     already, for which no library is to blame
   * @return false, now and from now on, where the library refuses; nothing is queued then
   */
  public boolean queue(GpuStream stream, Place place) {
    if (!place.aligned()) {
      throw new IllegalArgumentException("operands off their boundaries: " + place);
    }
    if (failed) {
      return false;
    }
    stream.requireUnspoilt();
    try {
      call.queue(stream, place);
      return true;
    } catch (LibraryException e) {
      failed = true;
      onFailure.accept(e);
      return false;
    }
  }

  void close() {
    call.close();
  }
}
