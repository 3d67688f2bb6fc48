package dev.halfcell.gpu.driver;

import jcuda.driver.CUevent;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** A place in a stream that others can wait for, and whose time is known. */
public final class GpuEvent implements AutoCloseable {
  private static final int DEFAULT = 0;

  private final GpuDevice device;
  private final CUevent event;
  private boolean closed;

  private GpuEvent(GpuDevice device, CUevent event) {
    this.device = device;
    this.event = event;
  }

  static GpuEvent of(GpuDevice device) {
    CUevent event = new CUevent();
    Call.check(JCudaDriver.cuEventCreate(event, DEFAULT), "cuEventCreate", "an event");
    return new GpuEvent(device, event);
  }

  CUevent handle() {
    return event;
  }

  /** Waits until the stream has come there. */
  public void synchronize() {
    Call.check(JCudaDriver.cuEventSynchronize(event), "cuEventSynchronize", "kernels that succeed");
  }

  /** Whether the stream has come there. */
  public boolean reached() {
    int result = JCudaDriver.cuEventQuery(event);
    if (result == CUresult.CUDA_ERROR_NOT_READY) {
      return false;
    }
    Call.check(result, "cuEventQuery", "kernels that succeed");
    return true;
  }

  /** The milliseconds from that event to this; both have been reached. */
  public double millisSince(GpuEvent start) {
    float[] millis = {0};
    Call.check(
        JCudaDriver.cuEventElapsedTime(millis, start.event, event),
        "cuEventElapsedTime",
        "two events that were reached");
    return millis[0];
  }

  /** Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      device.enter();
      Call.check(JCudaDriver.cuEventDestroy(event), "cuEventDestroy", "an event");
    }
  }
}
