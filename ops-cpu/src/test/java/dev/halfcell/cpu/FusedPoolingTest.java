package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.testkit.NoState;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * ReLU and max pooling fused, forward and backward, against the reference: ties, zeros of both
 * signs, NaN of both signs, infinities, windows of negative numbers.
 */
final class FusedPoolingTest {
  private static final double[] SPECIAL = {
    0, -0.0, 1, 1, -1, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0x1p-20, -3
  };

  @ParameterizedTest
  @CsvSource({
    "FP32, 2, 2, 8",
    "FP16, 2, 2, 8",
    "BF16, 2, 2, 8",
    "FP32, 3, 2, 9",
    "BF16, 2, 2, 7",
    "FP16, 2, 1, 6"
  })
  void poolsAndSpreadsAsTheReferenceDoes(DType dtype, int window, int stride, int side) {
    TensorSpec image = TensorSpec.of(dtype, 5, 3, side, side);
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2)) {
      Window2d windows = Window2d.square(window, stride, 0);
      Tensor x = image(scope, image);
      for (boolean poisoned : new boolean[] {false, true}) {
        if (poisoned) {
          Elements.set(x.data(), dtype, 11, Double.NaN);
          negativeNan(x, 40);
        }
        List<Tensor> want = run(new ReferenceBackend(), scope, windows, x);
        List<Tensor> got = run(cpu, scope, windows, x);
        for (int i = 0; i < want.size(); i++) {
          requireEqual(want.get(i), got.get(i), "output " + i + ", NaN " + poisoned);
        }
      }
    }
  }

  private static Tensor image(TensorScope scope, TensorSpec spec) {
    Random random = new Random(1);
    double[] values = new double[Math.toIntExact(spec.size())];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(4) == 0 ? SPECIAL[i % SPECIAL.length] : random.nextGaussian();
    }
    return Tensor.of(scope, spec, values);
  }

  /** The NaN that x86 makes of infinity minus infinity has its sign set. */
  private static void negativeNan(Tensor x, long index) {
    int bytes = x.dtype().bytes();
    for (int i = 0; i < bytes; i++) {
      x.data().set(ValueLayout.JAVA_BYTE, index * bytes + i, (byte) 0xFF);
    }
  }

  /** Pooled values and the gradient of x. */
  private static List<Tensor> run(Backend backend, TensorScope scope, Window2d windows, Tensor x) {
    Variables none = new NoState();
    TracingExecutor tracing = new TracingExecutor(none);
    Tape tape = new Tape(tracing);
    Ops ops = new Ops(tape, CellPath.ROOT);
    Tensor input = tape.watchInput(tracing.input(x.spec()));
    Tensor zeros = scope.allocate(x.spec());
    Tensor pooled = ops.maxPool2d(windows, ops.relu(ops.add(input, zeros)));
    Tensor d = tracing.input(pooled.spec());
    Map<Tensor, Tensor> gradients = tape.gradients(pooled, d);
    Tensor dx = gradients.getOrDefault(input, input);
    // Behind other ops, so that nothing pooled is an input or a result, and may lie channels last.
    Graph graph = tracing.graph(Outcome.of(List.of(ops.add(pooled, d), ops.relu(dx))));
    Tensor seed = scope.allocate(pooled.spec());
    for (int i = 0; i < seed.spec().size(); i++) {
      Elements.set(seed.data(), seed.dtype(), i, i % 7 + 1);
    }
    try (Plan plan = backend.compile(graph, none, PlanOptions.FULL, Collective.single())) {
      if (backend instanceof CpuBackend) {
        String schedule = plan.report().schedule().toString();
        assertTrue(schedule.contains("label=ReluMaxPool,"), schedule);
        assertTrue(schedule.contains("label=ReluMaxPoolGradient,"), schedule);
        assertTrue(schedule.contains("layout=channels last"), schedule);
      }
      return plan.run(List.of(x, seed)).stream().map(scope::copy).toList();
    }
  }

  private static void requireEqual(Tensor want, Tensor got, String what) {
    for (int i = 0; i < want.spec().size(); i++) {
      assertEquals(want.at(i) + 0.0, got.at(i) + 0.0, what + ", element " + i);
    }
  }
}
