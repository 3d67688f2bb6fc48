package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What images whose channels lie last are turned over for, behind a convolution that leaves them
 * so, on any GPU with cuDNN.
 */
abstract class ChannelsLastLimitsContract extends ChannelsLastGraphs {
  private final Random random = new Random(5);

  /** Whole numbers: sums of them are exact. */
  private Tensor numbers(DType dtype, int... dims) {
    TensorSpec spec = new TensorSpec(dtype, Shape.of(dims));
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.setAll(values, _ -> random.nextInt(-1, 2));
    return Tensor.of(scope, spec, values);
  }

  /** An op behind a convolution: of its result, and of the inputs behind the first two. */
  private Graph graph(List<Tensor> in, Op op) {
    TracingExecutor tracing = new TracingExecutor(this);
    Ops ops = new Ops(tracing, CellPath.ROOT);
    Tensor[] traced = in.stream().map(each -> tracing.input(each.spec())).toArray(Tensor[]::new);
    Tensor[] taken = Arrays.copyOfRange(traced, 1, traced.length);
    taken[0] = ops.run(new Conv2d(Conv2dGeometry.VALID), traced[0], traced[1]);
    return tracing.graph(Outcome.of(List.of(ops.run(op, taken))));
  }

  private double[] run(Backend backend, Graph graph, PlanOptions options, List<Tensor> in) {
    try (Plan plan = backend.compile(graph, this, options, Collective.single())) {
      return plan.run(in).getFirst().toArray();
    }
  }

  private static List<String> labels(GpuBackend gpu, Graph graph, PlanOptions options) {
    return gpu.measure(graph, options).schedule().stream().map(PlannedTask::label).toList();
  }

  /** Whether the op is computed with channels last; its numbers are the reference's. */
  private boolean last(Op op, List<Tensor> in) {
    Graph graph = graph(in, op);
    try (GpuBackend gpu = openBackend();
        Backend reference = new ReferenceBackend()) {
      List<String> labels = labels(gpu, graph, PlanOptions.FULL);
      assertEquals("Relayout", labels.getFirst(), labels::toString);
      assertArrayEquals(
          run(reference, graph, PlanOptions.FULL, in),
          run(gpu, graph, PlanOptions.FULL, in),
          op.toString());
      return labels.getLast().equals("Relayout");
    }
  }

  private List<Tensor> convolved(DType dtype, int results, int groups, int kernel) {
    return List.of(
        numbers(dtype, 2, CHANNELS, 9, 9),
        numbers(dtype, CHANNELS, CHANNELS, 1, 1),
        numbers(dtype, results, CHANNELS / groups, kernel, kernel));
  }

  private static Conv2d convolution(Padding2d padding, int dilation, int groups) {
    return new Conv2d(new Conv2dGeometry(1, 1, padding, dilation, dilation, groups));
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void convolutionsThatNoLibraryIsAskedForLast(DType dtype) {
    Padding2d one = Padding2d.of(1);
    assertTrue(last(convolution(one, 1, 1), convolved(dtype, CHANNELS, 1, 3)));
    assertTrue(last(convolution(Padding2d.of(2), 2, 1), convolved(dtype, CHANNELS, 1, 3)));
    assertFalse(last(convolution(one, 1, 2), convolved(dtype, CHANNELS, 2, 3)), "groups");
    assertFalse(last(convolution(one, 1, 72), convolved(dtype, CHANNELS, 72, 3)), "depthwise");
    assertFalse(last(convolution(one, 1, 1), convolved(dtype, 20, 1, 3)), "20 channels");
    Padding2d uneven = new Padding2d(0, 1, 0, 1);
    assertFalse(last(convolution(uneven, 1, 1), convolved(dtype, CHANNELS, 1, 3)), "uneven");
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BOOL", "INT64", "FP64"})
  void castsToElementsOfOtherSizes(DType to) {
    List<Tensor> in = convolved(DType.FP16, CHANNELS, 1, 1).subList(0, 2);
    assertFalse(last(new Cast(to, CastOverflow.INF), in));
  }

  @Test
  void plainPlansLieRowByRow() {
    List<Tensor> in = convolved(DType.FP16, CHANNELS, 1, 3);
    Graph graph = graph(in, convolution(Padding2d.of(1), 1, 1));
    try (GpuBackend gpu = openBackend()) {
      assertEquals(List.of("Conv2d", "Conv2d"), labels(gpu, graph, PlanOptions.PLAIN));
    }
  }
}
