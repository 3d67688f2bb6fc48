package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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
import dev.halfcell.op.linear.Dense;
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
 * A weight that is cast to a half for products is rounded to it once, whether products compute in
 * it or store it alone, and where they do that its products have the same bits.
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
  void isRoundedBeforeItsProduct(DType half) {
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

  /** 1 at one place of a row shows a row of the weight, unrounded by the sum. */
  private static double[] run(Backend cpu, Weight weight, Tensor ones, TensorScope scope) {
    TracingExecutor tracing = new TracingExecutor(weight);
    Ops ops = new Ops(tracing, CellPath.ROOT);
    Tensor cast = ops.cast(tracing.read(WEIGHT), ones.dtype());
    Tensor product = ops.run(new MatMul(false, false, true), tracing.input(ones.spec()), cast);
    Graph graph = tracing.graph(Outcome.of(List.of(product)));
    try (Plan plan = cpu.compile(graph, weight, PlanOptions.FULL, Collective.single())) {
      assertEquals(roundings(cpu, ones.dtype()), roundings(plan));
      return scope.copy(plan.run(List.of(ones)).getFirst()).toArray();
    }
  }

  /** One for all products, in FP16 where products store it alone. */
  private static long roundings(Backend cpu, DType half) {
    return half == DType.FP16 && !cpu.capabilities().computes().contains(half) ? 1 : 0;
  }

  private static long roundings(Plan plan) {
    return plan.report().schedule().stream().filter(task -> task.label().equals("Round")).count();
  }

  /** Few numbers, one of which neither half has; sums of them are exact in any order. */
  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void layersAndProductsBackHaveTheBitsOfAPlainPlan(DType half) {
    double rounds = 2 + 3.0 / 1024;
    assertNotEquals(rounds, half.round(rounds));
    double[] some = {0, 1, -1, rounds, -rounds};
    double[] values =
        new Random(2).ints(ROWS * COLUMNS, 0, some.length).mapToDouble(i -> some[i]).toArray();
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2)) {
      Weight weight =
          new Weight(Tensor.of(scope, TensorSpec.of(DType.FP32, ROWS, COLUMNS), values));
      double[] plain = layers(cpu, weight, half, PlanOptions.PLAIN, scope);
      assertArrayEquals(plain, layers(cpu, weight, half, PlanOptions.FULL, scope));
    }
  }

  /** A layer with its ReLU, and the product back by the same weight. */
  private static double[] layers(
      Backend cpu, Weight weight, DType half, PlanOptions options, TensorScope scope) {
    TracingExecutor tracing = new TracingExecutor(weight);
    Ops ops = new Ops(tracing, CellPath.ROOT);
    Tensor cast = ops.cast(tracing.read(WEIGHT), half);
    Tensor x = tracing.input(TensorSpec.of(half, 3, COLUMNS));
    Tensor bias = tracing.input(TensorSpec.of(half, ROWS));
    Tensor y = ops.relu(ops.run(new Dense(), x, cast, bias));
    Tensor back = ops.run(new MatMul(false, false, false), y, cast);
    Graph graph = tracing.graph(Outcome.of(List.of(y, back)));
    List<Tensor> inputs = List.of(signs(scope, x.spec()), signs(scope, bias.spec()));
    try (Plan plan = cpu.compile(graph, weight, options, Collective.single())) {
      if (options.equals(PlanOptions.FULL)) {
        assertEquals(roundings(cpu, half), roundings(plan));
      }
      return plan.run(inputs).stream()
          .flatMapToDouble(result -> Arrays.stream(result.toArray()))
          .toArray();
    }
  }

  /** Of each row all but one place is 0. */
  private static Tensor signs(TensorScope scope, TensorSpec spec) {
    Tensor signs = scope.allocate(spec);
    int columns = spec.dim(spec.rank() - 1);
    for (int i = 0; i < spec.size() / columns; i++) {
      Elements.set(signs.data(), spec.dtype(), i * columns + i, i % 2 == 0 ? 1 : -1);
    }
    return signs;
  }
}
