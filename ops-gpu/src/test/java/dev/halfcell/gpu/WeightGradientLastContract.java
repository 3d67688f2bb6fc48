package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gradients by weights of images whose channels lie last, on any GPU with cuDNN, of small whole
 * numbers: every order of summation gives the same, so the bits are those of the reference.
 */
abstract class WeightGradientLastContract extends ChannelsLastGraphs {
  private final Random random = new Random(6);

  /**
   * By own kernels: channels that fill tiles and that do not, more of either; strips that are rows,
   * the last of them lower, and several images, the last of them fewer; strides, no padding, wide
   * padding and more on one side.
   */
  static Stream<ConvolutionLayer> strips() {
    Conv2dGeometry uneven = new Conv2dGeometry(1, 1, new Padding2d(2, 0, 1, 2), 1, 1, 1);
    return Stream.of(
        ConvolutionLayer.of(List.of(3, 128, 7, 7), 128, 3, Conv2dGeometry.square(1, 1)),
        ConvolutionLayer.of(List.of(11, 64, 7, 7), 72, 3, Conv2dGeometry.square(1, 1)),
        ConvolutionLayer.of(List.of(2, 72, 14, 14), 64, 3, Conv2dGeometry.square(2, 1)),
        ConvolutionLayer.of(List.of(2, 136, 9, 11), 104, 3, Conv2dGeometry.VALID),
        ConvolutionLayer.of(List.of(3, 64, 23, 30), 72, 3, Conv2dGeometry.square(1, 1)),
        ConvolutionLayer.of(List.of(2, 64, 31, 57), 80, 3, Conv2dGeometry.square(2, 1)),
        ConvolutionLayer.of(List.of(2, 64, 10, 9), 72, 3, Conv2dGeometry.square(3, 2)),
        ConvolutionLayer.of(List.of(4, 64, 5, 8), 72, 3, uneven));
  }

  @ParameterizedTest
  @MethodSource("strips")
  void ofStripsAreThoseOfTheReference(ConvolutionLayer layer) {
    compare("", layer, DType.FP16);
  }

  @Test
  void ofStripsInBf16AreThoseOfTheReference() {
    compare("", strips().findFirst().orElseThrow(), DType.BF16);
  }

  /** By cuBLASLt, of 1 x 1: of all pixels, of every second one, of some. */
  static Stream<ConvolutionLayer> pixels() {
    return Stream.of(
        ConvolutionLayer.of(List.of(3, 72, 7, 9), 136, 1, Conv2dGeometry.VALID),
        ConvolutionLayer.of(List.of(3, 72, 14, 9), 136, 1, Conv2dGeometry.square(2, 0)),
        ConvolutionLayer.of(
            List.of(2, 80, 13, 8), 64, 1, new Conv2dGeometry(3, 2, Padding2d.NONE, 1, 1, 1)));
  }

  @ParameterizedTest
  @MethodSource("pixels")
  void ofPixelsAreThoseOfTheReference(ConvolutionLayer layer) {
    for (DType dtype : List.of(DType.FP16, DType.BF16)) {
      compare("cuBLASLt", layer, dtype);
    }
  }

  /** Of channels that no runs of eight fill. */
  @Test
  void ofOtherChannelsAreThoseOfTheReference() {
    for (int stride : new int[] {1, 2}) {
      Conv2dGeometry how = Conv2dGeometry.square(stride, 0);
      compare(
          stride == 1 ? "cuBLASLt" : "cuDNN",
          ConvolutionLayer.of(List.of(2, 20, 9, 6), 72, 1, how),
          DType.FP16);
    }
  }

  private Tensor numbers(DType dtype, Shape shape) {
    double[] values = new double[Math.toIntExact(shape.size())];
    Arrays.setAll(values, _ -> random.nextInt(-1, 2));
    return Tensor.of(scope, new TensorSpec(dtype, shape), values);
  }

  /** A convolution that gives each image as it is: with it, channels lie last. */
  private Tensor identity(DType dtype, int channels) {
    double[] values = new double[channels * channels];
    for (int i = 0; i < channels; i++) {
      values[i * channels + i] = 1;
    }
    return Tensor.of(scope, TensorSpec.of(dtype, channels, channels, 1, 1), values);
  }

  private Graph graph(Op op, List<Tensor> in) {
    TracingExecutor tracing = new TracingExecutor(this);
    Ops ops = new Ops(tracing, CellPath.ROOT);
    List<Tensor> traced = in.stream().map(each -> tracing.input(each.spec())).toList();
    Conv2d same = new Conv2d(Conv2dGeometry.VALID);
    Tensor d = ops.run(same, traced.get(0), traced.get(2));
    Tensor x = ops.run(same, traced.get(1), traced.get(3));
    return tracing.graph(Outcome.of(List.of(ops.run(op, d, x))));
  }

  /** Who computes the gradient, the last task of images whose channels lie last. */
  private static String gradientBy(GpuBackend gpu, Graph graph) {
    List<PlannedTask> schedule = gpu.measure(graph, PlanOptions.FULL).schedule();
    assertTrue(
        schedule.stream().map(PlannedTask::label).anyMatch("Relayout"::equals), schedule::toString);
    assertEquals("Conv2dWeightGradient", schedule.getLast().label(), schedule::toString);
    return schedule.getLast().kernel();
  }

  private double[] run(Backend backend, Graph graph, List<Tensor> in) {
    try (Plan plan = backend.compile(graph, this, PlanOptions.FULL, Collective.single())) {
      plan.run(in);
      return plan.run(in).getFirst().toArray();
    }
  }

  private void compare(String kernel, ConvolutionLayer layer, DType dtype) {
    Op op = new Conv2dWeightGradient(layer.geometry(), layer.weight(), true);
    List<Tensor> in =
        List.of(
            numbers(dtype, layer.windows()),
            numbers(dtype, layer.image()),
            identity(dtype, layer.weight().dim(0)),
            identity(dtype, layer.weight().dim(1)));
    Graph graph = graph(op, in);
    try (GpuBackend gpu = openBackend();
        Backend reference = new ReferenceBackend()) {
      String computes = gradientBy(gpu, graph);
      assertEquals(kernel, computes.split(" ", 2)[0], computes);
      assertArrayEquals(run(reference, graph, in), run(gpu, graph, in), layer + " in " + dtype);
    }
  }
}
