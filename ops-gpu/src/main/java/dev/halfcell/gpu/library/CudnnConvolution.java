package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.driver.LibraryException;
import dev.halfcell.tensor.Problem;

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
   * @param most the most memory that it may work in, in bytes
   * @throws LibraryException where the library has no engine for it that serves
   */
  CudnnConvolution(CudnnFunctions functions, long handle, ConvolutionProblem of, long most) {
    requireRight(functions, of);
    this.functions = functions;
    this.handle = handle;
    this.operation = new CudnnOperation(functions, of);
    try {
      this.plan = CudnnPlan.of(functions, handle, operation.descriptor(), of, most);
    } catch (RuntimeException | Error e) {
      operation.close();
      throw e;
    }
  }

  /**
   * cuDNN 9.14 adds up wrong numbers where padding is uneven: seen on an H200 in FP32 and in half,
   * with groups and dilation.
   */
  private static void requireRight(CudnnFunctions functions, ConvolutionProblem of) {
    if (of.pass() == ConvolutionProblem.Pass.WEIGHT_GRADIENT && !of.geometry().padding().even()) {
      throw new LibraryException(
          new Problem(
              "gpu",
              functions.finish.name(),
              "as much padding on one side as on the other, for a gradient by the weight",
              of.geometry().padding().toString(),
              ""));
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
