package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A weight that is cast to a half for products is rounded to it, whether products compute in it or
 * store it alone: 1 at one place of a row shows a row of the weight, unrounded by the sum.
 */
final class RoundedFactorTest {
  private static final int ROWS = 37;
  private static final int COLUMNS = 29;
  private static final Variable WEIGHT = new Variable(Variable.Kind.PARAMETER, CellPath.ROOT);

  private record Weight(Tensor values) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return values;
    }

    @Override
    public long seed() {
      return 1;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void isRoundedOnce(DType half) {
    double[] values = new Random(1).doubles(ROWS * COLUMNS, -3, 3).map(x -> (float) x).toArray();
    values[5] = 1e-6; // below the smallest normal FP16
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2)) {
      Weight weight =
          new Weight(Tensor.of(scope, TensorSpec.of(DType.FP32, ROWS, COLUMNS), values));
      Tensor ones = scope.allocate(TensorSpec.of(half, ROWS, ROWS));
      for (int i = 0; i < ROWS; i++) {
        Elements.set(ones.data(), half, i * ROWS + i, 1);
      }
      assertArrayEquals(
          Arrays.stream(values).map(half::round).toArray(), run(cpu, weight, ones, scope));
    }
  }

  private static double[] run(Backend cpu, Weight weight, Tensor ones, TensorScope scope) {
    TracingExecutor tracing = new TracingExecutor(weight);
    Ops ops = new Ops(tracing, CellPath.ROOT);
    Tensor cast = ops.cast(tracing.read(WEIGHT), ones.dtype());
    Tensor product = ops.run(new MatMul(false, false, true), tracing.input(ones.spec()), cast);
    Graph graph = tracing.graph(Outcome.of(List.of(product)));
    try (Plan plan = cpu.compile(graph, weight, PlanOptions.FULL, Collective.single())) {
      boolean rounds = plan.report().schedule().toString().contains("label=Round,");
      assertEquals(!cpu.capabilities().computes().contains(ones.dtype()), rounds);
      return scope.copy(plan.run(List.of(ones)).getFirst()).toArray();
    }
  }
}
