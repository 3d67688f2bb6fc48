package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.GpuStream;

/**
 * A convolution as cuDNN will compute it: an execution plan of the first engine that serves.
 *
 * <p>Source of the numbers: cudnn_graph.h of cuDNN 9.5.
 */
final class CudnnConvolution implements LibraryCall {
  private static final int VARIANT_PACK = 16;
  private static final int PACK_NUMBERS = 1000;
  private static final int PACK_POINTERS = 1001;
  private static final int PACK_WORKSPACE = 1003;

  private final CudnnFunctions functions;
  private final long handle;
  private final CudnnOperation operation;
  private final CudnnPlan plan;

  /**
   * Asks for it.
   *
   * @throws dev.halfcell.gpu.driver.LibraryException where the library has no engine for it that
   *     serves
   */
  CudnnConvolution(CudnnFunctions functions, long handle, ConvolutionProblem of) {
    this.functions = functions;
    this.handle = handle;
    this.operation = new CudnnOperation(functions, of);
    try {
      this.plan = CudnnPlan.of(functions, handle, operation.descriptor(), of.in());
    } catch (RuntimeException | Error e) {
      operation.close();
      throw e;
    }
  }

  @Override
  public long workspaceBytes() {
    return plan.workspaceBytes();
  }

  @Override
  public void queue(GpuStream stream, LibraryTask.Place place) {
    try (CudnnDescriptor pack = CudnnDescriptor.of(functions, VARIANT_PACK)) {
      pack.integers(PACK_NUMBERS, CudnnOperation.A, CudnnOperation.B, CudnnOperation.Y)
          .pointers(PACK_POINTERS, place.a().address(), place.b().address(), place.y().address())
          .pointers(PACK_WORKSPACE, place.workspace().address())
          .finished();
      synchronized (functions) { // the handle has one stream at a time
        functions.require(functions.setStream, handle, stream.address());
        functions.require(functions.execute, handle, plan.address(), pack.address());
      }
    }
  }

  @Override
  public void close() {
    plan.close();
    operation.close();
  }
}
