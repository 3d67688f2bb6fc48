package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.host.HostFunction;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.testkit.NoState;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What must not hang, crash or compute something else where the backend is used in a wrong way. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MisuseTest {
  private static final CellPath AT = CellPath.ROOT;

  private static double[] twiceAsMatrix(Executor eager, TensorScope scope, double[] x) {
    Tensor row = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, x.length), x);
    double[] twice = new double[x.length * x.length];
    for (int i = 0; i < x.length; i++) {
      twice[i * x.length + i] = 2;
    }
    Tensor matrix = Tensor.of(scope, TensorSpec.of(DType.FP32, x.length, x.length), twice);
    return eager
        .execute(new MatMul(false, false, false), List.of(row, matrix), AT)
        .getFirst()
        .toArray();
  }

  @Test
  void aHostFunctionMayNotComputeOnTheBackendThatRunsIt() {
    try (CpuBackend backend = CpuBackend.open(2);
        TensorScope scope = TensorScope.open()) {
      Executor eager = backend.eager(scope);
      HostFunction nested =
          HostFunction.of(
              "nested", in -> in, in -> List.of(twiceAsMatrix(eager, scope, in.getFirst())));
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 3), 1, 2, 3);
      UsageException e =
          assertThrows(UsageException.class, () -> eager.execute(nested, List.of(x), AT));
      String message = e.problem().message();
      assertTrue(message.contains("nested") && message.contains("an op inside another"), message);
      assertArrayEquals(new double[] {2, 4, 6}, twiceAsMatrix(eager, scope, x.toArray()));
    }
  }

  /** Its address is a place in an array, and native code would look there. */
  @Test
  void aTensorOverAnArrayOfJavaIsRefused() {
    try (CpuBackend backend = CpuBackend.open(2);
        TensorScope scope = TensorScope.open()) {
      MemorySegment array = MemorySegment.ofArray(new float[] {1, -2, 3});
      Tensor x = Tensor.over(TensorSpec.of(DType.FP32, 3), array);
      Executor eager = backend.eager(scope);
      assertThrows(UsageException.class, () -> eager.execute(new Relu(), List.of(x), AT));
    }
  }

  @Test
  void aClosedBackendRunsNoOp() {
    try (TensorScope scope = TensorScope.open()) {
      CpuBackend backend = CpuBackend.open(2);
      Executor eager = backend.eager(scope);
      twiceAsMatrix(eager, scope, new double[] {1, 2, 3});
      backend.close();
      assertThrows(UsageException.class, () -> twiceAsMatrix(eager, scope, new double[] {1, 2, 3}));
      backend.close();
    }
  }

  @Test
  void aClosedBackendCompilesNothing() {
    CpuBackend backend = CpuBackend.open(2);
    backend.close();
    TensorSpec matrix = TensorSpec.of(DType.FP32, 64, 64);
    assertThrows(
        UsageException.class,
        () -> compile(backend, new MatMul(false, false, false), matrix, matrix));
  }

  private static void compile(CpuBackend backend, Op op, TensorSpec... in) {
    Variables none = new NoState();
    TracingExecutor tracing = new TracingExecutor(none);
    List<Tensor> inputs = Stream.of(in).map(tracing::input).toList();
    Graph graph = tracing.graph(Outcome.of(tracing.execute(op, inputs, AT)));
    backend.compile(graph, none, PlanOptions.FULL, Collective.single()).close();
  }
}
