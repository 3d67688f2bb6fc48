package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.CurveGradient;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Gelu;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Silu;
import dev.halfcell.op.elementwise.Tanh;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.testkit.NoState;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every 16-bit number, subnormal ones among them, through casts and changes of layout. */
final class EveryHalfTest {
  private static final int ALL = 1 << 16;

  @ParameterizedTest
  @EnumSource(names = {"FP16", "BF16"})
  void castsKeepEveryNumberAndRoundWhatLiesBetween(DType half) {
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2)) {
      Tensor all = all(scope, TensorSpec.of(half, ALL));
      Tensor wide = cast(cpu, scope, all, DType.FP32);
      for (int i = 0; i < ALL; i++) {
        assertEquals(all.at(i), wide.at(i), "bits " + i);
      }
      Tensor between = scope.allocate(TensorSpec.of(DType.FP32, ALL));
      for (int i = 0; i < ALL; i++) { // half a unit of either dtype, a bit less, a bit more
        int bits =
            Float.floatToRawIntBits((float) all.at(i)) + (half == DType.FP16 ? 0x1000 : 0x8000);
        between.data().setAtIndex(ValueLayout.JAVA_INT, i, bits + i % 3 - 1);
      }
      Tensor want = cast(new ReferenceBackend(), scope, between, half);
      Tensor got = cast(cpu, scope, between, half);
      for (int i = 0; i < ALL; i++) {
        assertEquals(want.at(i), got.at(i), "bits " + i);
      }
    }
  }

  static Stream<Arguments> functions() {
    return Stream.of(DType.FP16, DType.BF16)
        .flatMap(
            half ->
                Stream.of(
                        new Exp(),
                        new Gelu(false),
                        new Gelu(true),
                        new Log(),
                        new Pow(2.3),
                        new Sigmoid(),
                        new Silu(),
                        new Tanh())
                    .map(curve -> Arguments.of(half, curve)));
  }

  /** Many numbers are looked up, few are computed. */
  @ParameterizedTest
  @MethodSource("functions")
  void aFunctionThatIsLookedUpIsThatWhichIsComputed(DType half, Curve curve) {
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2)) {
      Tensor few = all(scope, TensorSpec.of(half, ALL));
      Tensor many = all(scope, TensorSpec.of(half, 2 * ALL));
      Tensor one = ones(scope, TensorSpec.of(half, ALL));
      Tensor ones = ones(scope, TensorSpec.of(half, 2 * ALL));
      CurveGradient slope = new CurveGradient(curve);
      Tensor computed = cpu.eager(scope).execute(curve, List.of(few), CellPath.ROOT).getFirst();
      Tensor found = cpu.eager(scope).execute(curve, List.of(many), CellPath.ROOT).getFirst();
      Tensor steep = cpu.eager(scope).execute(slope, List.of(one, few), CellPath.ROOT).getFirst();
      Tensor steps = cpu.eager(scope).execute(slope, List.of(ones, many), CellPath.ROOT).getFirst();
      for (int i = 0; i < 2 * ALL; i++) {
        assertEquals(computed.at(i % ALL), found.at(i), "bits " + i);
        assertEquals(steep.at(i % ALL), steps.at(i), "slope at bits " + i);
      }
    }
  }

  private static Tensor ones(TensorScope scope, TensorSpec spec) {
    Tensor ones = scope.allocate(spec);
    for (int i = 0; i < spec.size(); i++) {
      Elements.set(ones.data(), spec.dtype(), i, 1);
    }
    return ones;
  }

  private static Tensor cast(Backend backend, TensorScope scope, Tensor x, DType to) {
    return backend.eager(scope).execute(new Cast(to), List.of(x), CellPath.ROOT).getFirst();
  }

  private static Tensor all(TensorScope scope, TensorSpec spec) {
    Tensor all = scope.allocate(spec);
    for (int i = 0; i < spec.size(); i++) {
      all.data().setAtIndex(ValueLayout.JAVA_SHORT, i, (short) i);
    }
    return all;
  }

  /** Pooling in windows of one pixel moves every number from one layout to the other and back. */
  @ParameterizedTest
  @EnumSource(names = {"FP16", "BF16"})
  void changesOfLayoutKeepEveryBit(DType half) {
    Variables none = new NoState();
    TracingExecutor tracing = new TracingExecutor(none);
    Ops ops = new Ops(tracing, CellPath.ROOT);
    TensorSpec spec = TensorSpec.of(half, 16, 16, 16, 16);
    Tensor x = tracing.input(spec);
    Tensor inner = ops.maxPool2d(Window2d.square(1, 1, 0), x);
    Tensor y = ops.maxPool2d(Window2d.square(1, 1, 0), inner);
    var graph = tracing.graph(Outcome.of(List.of(y)));
    PlanOptions layoutsOnly = new PlanOptions(false, true);
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2);
        Plan plan = cpu.compile(graph, none, layoutsOnly, Collective.single())) {
      assertTrue(plan.report().schedule().toString().contains("layout=channels last"));
      Tensor all = all(scope, spec);
      Tensor got = plan.run(List.of(all)).getFirst();
      for (int i = 0; i < ALL; i++) {
        assertEquals(all.at(i), got.at(i), "bits " + i);
      }
    }
  }
}
