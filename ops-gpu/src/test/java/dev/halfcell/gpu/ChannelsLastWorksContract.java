package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.halfcell.op.Ops;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is computed of images whose channels lie last, with NaN and infinities among them, on any
 * GPU with cuDNN.
 */
abstract class ChannelsLastWorksContract extends ChannelsLastGraphs {
  private static final double EPSILON = 1e-5;

  private final Random random = new Random(4);

  private Tensor image(DType dtype, int side, boolean trouble) {
    TensorSpec spec = TensorSpec.of(dtype, 2, CHANNELS, side, side);
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.setAll(values, _ -> random.nextInt(8) == 0 ? 0 : 1 + random.nextGaussian());
    if (trouble) {
      values[5] = Double.NaN;
      values[values.length / 2] = Double.POSITIVE_INFINITY;
    }
    return Tensor.of(scope, spec, values);
  }

  private Tensor channels() {
    double[] values = random.doubles(CHANNELS, 0.5, 1.5).map(v -> (float) v).toArray();
    return Tensor.of(scope, TensorSpec.of(DType.FP32, CHANNELS), values);
  }

  /** A convolution that gives each image as it is: with it, channels lie last. */
  private Tensor identity(DType dtype) {
    double[] values = new double[CHANNELS * CHANNELS];
    for (int i = 0; i < CHANNELS; i++) {
      values[i * CHANNELS + i] = 1;
    }
    return Tensor.of(scope, TensorSpec.of(dtype, CHANNELS, CHANNELS, 1, 1), values);
  }

  /** A graph of images that went through the identity, and of numbers of channels. */
  private Graph graph(
      List<Tensor> images,
      List<Tensor> channels,
      BiFunction<Ops, List<Tensor>, List<Tensor>> described) {
    TracingExecutor tracing = new TracingExecutor(this);
    Ops ops = new Ops(tracing, CellPath.ROOT);
    List<Tensor> in = new ArrayList<>();
    List<Tensor> raw = images.stream().map(each -> tracing.input(each.spec())).toList();
    List<Tensor> numbers = channels.stream().map(each -> tracing.input(each.spec())).toList();
    Tensor weight = tracing.input(identity(images.getFirst().dtype()).spec());
    raw.forEach(each -> in.add(ops.run(new Conv2d(Conv2dGeometry.VALID), each, weight)));
    in.addAll(numbers);
    return tracing.graph(Outcome.of(described.apply(ops, in)));
  }

  private List<double[]> run(Backend backend, Graph graph, List<Tensor> in) {
    try (Plan plan = backend.compile(graph, this, PlanOptions.FULL, Collective.single())) {
      plan.run(in);
      return plan.run(in).stream().map(Tensor::toArray).toList();
    }
  }

  private void compare(
      String work,
      List<Tensor> images,
      List<Tensor> channels,
      BiFunction<Ops, List<Tensor>, List<Tensor>> described) {
    Graph graph = graph(images, channels, described);
    List<Tensor> in = new ArrayList<>(images);
    in.addAll(channels);
    DType dtype = images.getFirst().dtype();
    in.add(identity(dtype));
    try (GpuBackend gpu = openBackend();
        Backend reference = new ReferenceBackend()) {
      List<String> labels =
          gpu.measure(graph, PlanOptions.FULL).schedule().stream().map(PlannedTask::label).toList();
      int place = labels.indexOf(work);
      assertTrue(place > 0 && !labels.subList(0, place).isEmpty(), labels::toString);
      assertEquals(
          images.size(), labels.subList(0, place).stream().filter("Relayout"::equals).count());
      assertEquals("Relayout", labels.getLast(), labels::toString);
      List<double[]> expected = run(reference, graph, in);
      List<double[]> got = run(gpu, graph, in);
      for (int i = 0; i < expected.size(); i++) {
        assertNear(expected.get(i), got.get(i), dtype, work + ", result " + i);
      }
    }
  }

  /** By a unit in the last place of the half, or what sums in FP32 may be off. */
  private static void assertNear(double[] expected, double[] got, DType half, String what) {
    double step = half == DType.FP16 ? 0x1p-9 : 0x1p-6;
    assertEquals(expected.length, got.length, what);
    for (int i = 0; i < expected.length; i++) {
      double allowed = step * Math.max(1, Math.abs(expected[i]));
      boolean near = Math.abs(expected[i] - got[i]) <= allowed;
      assertTrue(
          near || Double.compare(expected[i], got[i]) == 0,
          what + " [" + i + "]: expected " + expected[i] + ", got " + got[i]);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void normalisations(DType dtype) {
    for (int side : new int[] {3, 40}) {
      for (boolean trouble : new boolean[] {false, true}) {
        List<Tensor> x = List.of(image(dtype, side, trouble));
        List<Tensor> xz = List.of(image(dtype, side, false), image(dtype, side, trouble));
        List<Tensor> numbers = List.of(channels(), channels());
        BatchNorm norm = new BatchNorm(EPSILON);
        for (BatchNorm each : List.of(norm, norm.stableStatistics())) {
          compare("BatchNorm", x, numbers, (ops, in) -> normalised(ops, each, in));
          compare(
              "BatchNormRelu",
              x,
              numbers,
              (ops, in) -> {
                List<Tensor> y = normalised(ops, each, in);
                return List.of(ops.relu(y.get(0)), y.get(1), y.get(2));
              });
          compare(
              "BatchNormRelu",
              xz,
              numbers,
              (ops, in) -> {
                List<Tensor> y = normalised(ops, each, List.of(in.get(0), in.get(2), in.get(3)));
                return List.of(ops.relu(ops.add(y.get(0), in.get(1))), y.get(1), y.get(2));
              });
        }
      }
    }
  }

  private static List<Tensor> normalised(Ops ops, BatchNorm norm, List<Tensor> in) {
    return ops.runAll(norm, in.get(0), in.get(1), in.get(2));
  }

  /** By statistics that are given, as networks are evaluated. */
  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void normalisationsByGivenStatistics(DType dtype) {
    for (int side : new int[] {3, 40}) {
      compare(
          "Normalize",
          List.of(image(dtype, side, true)),
          List.of(channels(), channels(), channels(), channels()),
          (ops, in) -> List.of(ops.run(new Normalize(EPSILON), in.toArray(Tensor[]::new))));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void gradientsOfNormalisations(DType dtype) {
    BatchNormGradient gradient = new BatchNormGradient(EPSILON);
    for (int side : new int[] {3, 40}) {
      List<Tensor> dx = List.of(image(dtype, side, false), image(dtype, side, false));
      List<Tensor> dxy =
          List.of(image(dtype, side, false), image(dtype, side, false), image(dtype, side, true));
      List<Tensor> numbers = List.of(channels(), channels(), channels());
      compare(
          "BatchNormGradient",
          dx,
          numbers,
          (ops, in) -> ops.runAll(gradient, in.get(0), in.get(1), in.get(2), in.get(3), in.get(4)));
      compare(
          "BatchNormReluGradient",
          dxy,
          numbers,
          (ops, in) -> {
            Tensor d = ops.run(new ReluGradient(), in.get(0), in.get(2));
            return ops.runAll(gradient, d, in.get(1), in.get(3), in.get(4), in.get(5));
          });
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void placeByPlace(DType dtype) {
    List<Tensor> images =
        List.of(image(dtype, 5, true), image(dtype, 5, false), image(dtype, 5, false));
    compare(
        "AddRelu",
        images.subList(0, 2),
        List.of(),
        (ops, in) -> List.of(ops.relu(ops.add(in.get(0), in.get(1)))));
    compare(
        "AddReluGradient",
        images,
        List.of(),
        (ops, in) ->
            List.of(ops.run(new ReluGradient(), ops.add(in.get(0), in.get(1)), in.get(2))));
    compare(
        "ReluGradient",
        images.subList(0, 2),
        List.of(),
        (ops, in) -> List.of(ops.run(new ReluGradient(), in.get(0), in.get(1))));
    compare(
        "Add",
        images.subList(0, 2),
        List.of(),
        (ops, in) -> List.of(ops.add(in.get(0), in.get(1))));
    compare(
        "Cast",
        images.subList(0, 1),
        List.of(),
        (ops, in) -> List.of(ops.run(new Cast(DType.FP32, CastOverflow.INF), in.getFirst())));
  }
}
