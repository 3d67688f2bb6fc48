package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small ops of more parameters than a launch takes, each with the bits of an op by itself. */
@Tag("either")
final class GatheredWorksTest implements Variables {
  /** Runs, short ones, several threads and blocks. */
  private static final int[] SIZES = {1, 7, 8, 9, 64, 300, 4099, 150_001};

  private static final int COUNT = 70;

  private final TensorScope scope = TensorScope.guarded();
  private final Random random = new Random(5);
  private final Map<Variable, Tensor> values = new LinkedHashMap<>();
  private final TracingExecutor tracing = new TracingExecutor(this);
  private final Ops ops = new Ops(tracing, CellPath.ROOT);

  @AfterEach
  void close() {
    scope.close();
  }

  @Override
  public Tensor read(Variable variable) {
    return Objects.requireNonNull(values.get(variable), variable.toString());
  }

  @Override
  public long seed() {
    return 0;
  }

  /** A variable of values of all sizes, some of them beyond a half. */
  private Variable variable(int index) {
    Variable variable =
        new Variable(Variable.Kind.PARAMETER, new CellPath("/net").child("value" + index));
    values.put(variable, drawn(index));
    return variable;
  }

  private Tensor drawn(int index) {
    TensorSpec spec = TensorSpec.of(DType.FP32, SIZES[index % SIZES.length]);
    double[] drawn = new double[Math.toIntExact(spec.size())];
    Arrays.setAll(
        drawn, _ -> (float) (random.nextGaussian() * Math.pow(2, random.nextInt(-26, 18))));
    return Tensor.of(scope, spec, drawn);
  }

  private List<double[]> run(Backend backend, Graph graph, List<Tensor> in) {
    try (Plan plan = backend.compile(graph, this, PlanOptions.FULL, Collective.single())) {
      return plan.run(in).stream().map(Tensor::toArray).toList();
    }
  }

  private void compare(Graph graph, String label, List<Tensor> in) {
    try (Backend gpu = TestedGpu.open();
        Backend reference = new ReferenceBackend()) {
      List<String> labels =
          gpu.measure(graph, PlanOptions.FULL).schedule().stream().map(PlannedTask::label).toList();
      assertEquals(List.of(label), labels);
      List<double[]> expected = run(reference, graph, in);
      List<double[]> got = run(gpu, graph, in);
      for (int i = 0; i < expected.size(); i++) {
        assertArrayEquals(expected.get(i), got.get(i), label + " " + i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(CastOverflow.class)
  void parametersAreCastAsOneByOne(CastOverflow overflow) {
    for (DType half : List.of(DType.FP16, DType.BF16)) {
      List<Tensor> results = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        results.add(ops.run(new Cast(half, overflow), tracing.read(variable(i))));
      }
      compare(tracing.graph(Outcome.of(results)), "Cast", List.of());
    }
  }

  @Test
  void runningAveragesMoveAsOneByOne() {
    List<Tensor> results = new ArrayList<>();
    List<Tensor> in = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      Tensor batch = drawn(i);
      in.add(batch);
      Variable variable = variable(i);
      RunningAverage average = new RunningAverage(i % 3 / 2.0, 1 + i / 7.0);
      results.add(ops.run(average, tracing.read(variable), tracing.input(batch.spec())));
    }
    compare(tracing.graph(Outcome.of(results)), "RunningAverage", in);
  }
}
