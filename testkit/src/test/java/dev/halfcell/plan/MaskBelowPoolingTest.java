package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MaskBelowPoolingTest {
  private static final TensorSpec IMAGE = TensorSpec.of(DType.FP32, 2, 2, 7, 6);

  static Stream<Window2d> windows() {
    return Stream.of(
        Window2d.square(2, 2, 0),
        Window2d.square(3, 1, 1),
        Window2d.square(3, 2, 1),
        Window2d.square(2, 3, 0),
        new Window2d(3, 2, 1, 2, Padding2d.of(1)));
  }

  /** ReLU, pooling, and the gradient of both, for inputs image and d. */
  private static Program program(Sketch sketch, Window2d window) {
    Tensor x = sketch.input(IMAGE.dtype(), IMAGE.shape().toArray());
    Tensor y = sketch.ops.relu(x);
    List<Tensor> pooled = sketch.ops.runAll(new MaxPool2d(window), y);
    Tensor d = sketch.input(DType.FP32, pooled.getFirst().shape().toArray());
    MaxPool2dGradient spread = new MaxPool2dGradient(window, y.shape());
    Tensor dy = sketch.ops.run(spread, d, pooled.getLast());
    Tensor dx = sketch.ops.run(new ReluGradient(), dy, y);
    return sketch.results(pooled.getFirst(), pooled.getLast(), dx);
  }

  /** Few values, so that many are equal: zeros of either sign, ties, NaN and infinities. */
  private static Tensor coarse(Sketch sketch, TensorSpec spec, long seed) {
    double[] values = {-1, -0.0, 0.0, 0.5, 1, 1, Double.NaN, Double.POSITIVE_INFINITY, -2, -3};
    Random random = new Random(seed);
    return Tensor.of(
        sketch.scope,
        spec,
        IntStream.range(0, (int) spec.size())
            .mapToDouble(_ -> values[random.nextInt(values.length)])
            .toArray());
  }

  @ParameterizedTest
  @MethodSource("windows")
  void theMaskMayComeBeforeTheGradientOfThePooling(Window2d window) {
    try (Sketch sketch = new Sketch()) {
      Program plain = program(sketch, window);
      Program fused = Fusion.fuse(plain);
      assertEquals(List.of("ReluMaxPool", "ReluMaxPoolGradient"), Sketch.labels(fused));
      for (long seed = 0; seed < 20; seed++) {
        Tensor x = coarse(sketch, IMAGE, seed);
        Tensor d = coarse(sketch, plain.spec(plain.inputs().getLast()), 100 + seed);
        List<Tensor> expected = sketch.run(plain, x, d);
        List<Tensor> got = sketch.run(fused, x, d);
        for (int i = 0; i < expected.size(); i++) {
          assertArrayEquals(expected.get(i).toArray(), got.get(i).toArray(), "seed " + seed);
        }
      }
    }
  }

  @Test
  void aMaskOfAnotherImageStaysWhereItIs() {
    try (Sketch sketch = new Sketch()) {
      Window2d window = Window2d.square(2, 2, 0);
      Tensor x = sketch.input(DType.FP32, 1, 1, 4, 4);
      Tensor y = sketch.ops.relu(x);
      List<Tensor> pooled = sketch.ops.runAll(new MaxPool2d(window), y);
      MaxPool2dGradient spread = new MaxPool2dGradient(window, y.shape());
      Tensor dy = sketch.ops.run(spread, pooled.getFirst(), pooled.getLast());
      Tensor dx = sketch.ops.run(new ReluGradient(), dy, x);
      assertFalse(Sketch.labels(Fusion.fuse(sketch.results(dx))).contains("ReluMaxPoolGradient"));
    }
  }

  @Test
  void aGradientOverOtherWindowsStays() {
    try (Sketch sketch = new Sketch()) {
      Tensor y = sketch.ops.relu(sketch.input(DType.FP32, 1, 1, 4, 4));
      List<Tensor> pooled = sketch.ops.runAll(new MaxPool2d(Window2d.square(2, 2, 0)), y);
      MaxPool2dGradient spread = new MaxPool2dGradient(Window2d.square(1, 3, 0), y.shape());
      Tensor dy = sketch.ops.run(spread, pooled.getFirst(), pooled.getLast());
      Tensor dx = sketch.ops.run(new ReluGradient(), dy, y);
      assertFalse(Sketch.labels(Fusion.fuse(sketch.results(dx))).contains("ReluMaxPoolGradient"));
    }
  }

  @Test
  void aGradientThatIsReadElsewhereStays() {
    try (Sketch sketch = new Sketch()) {
      Window2d window = Window2d.square(2, 2, 0);
      Tensor y = sketch.ops.relu(sketch.input(DType.FP32, 1, 1, 4, 4));
      List<Tensor> pooled = sketch.ops.runAll(new MaxPool2d(window), y);
      MaxPool2dGradient spread = new MaxPool2dGradient(window, y.shape());
      Tensor dy = sketch.ops.run(spread, pooled.getFirst(), pooled.getLast());
      Tensor dx = sketch.ops.run(new ReluGradient(), dy, y);
      assertEquals(
          List.of("Relu", "MaxPool2d", "MaxPool2dGradient", "ReluGradient"),
          Sketch.labels(Fusion.fuse(sketch.results(dx, dy))));
    }
  }
}
