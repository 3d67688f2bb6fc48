package dev.halfcell.gpu.driver;

import java.lang.foreign.MemorySegment;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstreamCaptureStatus;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * An order in which a device does things. All methods but {@link #synchronize} only queue. Memory
 * of the host that is copied from or to must not change, and not be freed, until that is done.
 */
public final class GpuStream implements AutoCloseable {
  private final GpuDevice device;
  private final Handle stream;
  private boolean closed;

  private GpuStream(GpuDevice device, Handle stream) {
    this.device = device;
    this.stream = stream;
  }

  /** One that no other waits for by itself. */
  static GpuStream of(GpuDevice device) {
    Handle stream = new Handle();
    Call.check(
        JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
        "cuStreamCreate",
        "a stream");
    return new GpuStream(device, stream);
  }

  CUstream handle() {
    return stream;
  }

  /** The number by which libraries know it: a {@code cudaStream_t} or {@code CUstream}. */
  public long address() {
    return stream.value();
  }

  /** Copies from the host. */
  public void upload(MemorySegment from, DeviceMemory to) {
    to.requireSize(from.byteSize());
    if (to.bytes() > 0) {
      Call.check(
          JCudaDriver.cuMemcpyHtoDAsync(
              to.pointer(), PinnedMemory.Address.of(from), to.bytes(), stream),
          "cuMemcpyHtoDAsync",
          "a copy of " + to.bytes() + " bytes to the GPU");
    }
  }

  /** Copies to the host. */
  public void download(DeviceMemory from, MemorySegment to) {
    from.requireSize(to.byteSize());
    if (from.bytes() > 0) {
      Call.check(
          JCudaDriver.cuMemcpyDtoHAsync(
              PinnedMemory.Address.of(to), from.pointer(), from.bytes(), stream),
          "cuMemcpyDtoHAsync",
          "a copy of " + from.bytes() + " bytes from the GPU");
    }
  }

  /** Copies on the device. */
  public void copy(DeviceMemory from, DeviceMemory to) {
    from.requireSize(to.bytes());
    if (from.bytes() > 0) {
      Call.check(
          JCudaDriver.cuMemcpyDtoDAsync(to.pointer(), from.pointer(), from.bytes(), stream),
          "cuMemcpyDtoDAsync",
          "a copy of " + from.bytes() + " bytes on the GPU");
    }
  }

  /** Fills memory with a byte. */
  public void fill(DeviceMemory memory, byte value) {
    if (memory.bytes() > 0) {
      Call.check(
          JCudaDriver.cuMemsetD8Async(memory.pointer(), value, memory.bytes(), stream),
          "cuMemsetD8Async",
          memory.bytes() + " bytes filled");
    }
  }

  /** Marks how far it has come. */
  public void record(GpuEvent event) {
    Call.check(JCudaDriver.cuEventRecord(event.handle(), stream), "cuEventRecord", "an event");
  }

  /** Goes on when what was recorded before the event is done, on whatever stream. */
  public void await(GpuEvent event) {
    Call.check(
        JCudaDriver.cuStreamWaitEvent(stream, event.handle(), 0), "cuStreamWaitEvent", "an event");
  }

  /**
   * Records what {@code work} queues on this stream, and on those that {@link #await} its events,
   * instead of doing it. It may neither wait nor take memory.
   *
   * @throws DriverCallException where it does; the stream can be used all the same
   */
  public GpuGraph capture(Runnable work) {
    Call.check(
        JCudaDriver.cuStreamBeginCapture(
            stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
        "cuStreamBeginCapture",
        "a stream that can be captured");
    CUgraph graph = new CUgraph();
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      abandon(graph);
      throw e;
    }
    Call.check(
        JCudaDriver.cuStreamEndCapture(stream, graph),
        "cuStreamEndCapture",
        "a capture without calls that wait or take memory");
    return GpuGraph.of(device, graph);
  }

  /**
   * Does nothing where a recording goes well, or none is made.
   *
   * @throws DriverCallException where one is lost, which the driver tells to the next call of it
   */
  public void requireUnspoilt() {
    int[] status = {0};
    Call.check(
        JCudaDriver.cuStreamIsCapturing(stream, status),
        "cuStreamIsCapturing",
        "a stream that can be captured");
    if (status[0] == CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_INVALIDATED) {
      int lost = CUresult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
      Call.check(lost, "cuStreamIsCapturing", "a capture that goes on");
    }
  }

  /** What went wrong first is the one to tell. */
  private void abandon(CUgraph graph) {
    if (JCudaDriver.cuStreamEndCapture(stream, graph) == CUresult.CUDA_SUCCESS) {
      JCudaDriver.cuGraphDestroy(graph);
    }
  }

  void launch(CUgraphExec graph) {
    Call.check(JCudaDriver.cuGraphLaunch(graph, stream), "cuGraphLaunch", "a launched graph");
  }

  /**
   * Waits until all that was queued is done.
   *
   * @throws DriverCallException where a kernel failed
   */
  public void synchronize() {
    Call.check(
        JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize", "kernels that succeed");
  }

  /** Waits for it and gives it back. Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      device.enter();
      Call.check(JCudaDriver.cuStreamDestroy(stream), "cuStreamDestroy", "kernels that succeed");
    }
  }

  /** JCuda keeps the number of a stream to itself and its heirs. */
  private static final class Handle extends CUstream {
    long value() {
      return getNativePointer();
    }
  }
}
