package dev.halfcell.gpu.driver;

import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUgraphNode;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** What a stream queued, recorded once and launched by one call as often as wanted. */
public final class GpuGraph implements AutoCloseable {
  private final GpuDevice device;
  private final CUgraph graph;
  private final CUgraphExec executable;
  private boolean closed;

  private GpuGraph(GpuDevice device, CUgraph graph, CUgraphExec executable) {
    this.device = device;
    this.graph = graph;
    this.executable = executable;
  }

  /** One of {@code graph}, which is given back where it cannot be launched. */
  static GpuGraph of(GpuDevice device, CUgraph graph) {
    CUgraphExec executable = new CUgraphExec();
    int result = JCudaDriver.cuGraphInstantiate(executable, graph, 0);
    if (result != CUresult.CUDA_SUCCESS) {
      JCudaDriver.cuGraphDestroy(graph); // the first error is the one to tell
    }
    Call.check(result, "cuGraphInstantiate", "a graph that can be launched");
    return new GpuGraph(device, graph, executable);
  }

  /** Queues all of it. */
  public void launch(GpuStream on) {
    on.launch(executable);
  }

  /** How many kernels, copies and fills it holds. */
  public long nodes() {
    long[] count = {0};
    Call.check(
        JCudaDriver.cuGraphGetNodes(graph, (CUgraphNode[]) null, count),
        "cuGraphGetNodes",
        "the nodes of a graph");
    return count[0];
  }

  /** Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      device.enter();
      Call.check(JCudaDriver.cuGraphExecDestroy(executable), "cuGraphExecDestroy", "a graph");
      Call.check(JCudaDriver.cuGraphDestroy(graph), "cuGraphDestroy", "a graph");
    }
  }
}
