package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Products of small integers in halves, which are exact, for shapes of which oneDNN 3.11 was seen
 * to give wrong numbers on a CPU that multiplies tiles (AMX). On other CPUs they never were wrong.
 */
final class HalfProductTest {
  private static Backend backend;

  private final TensorScope scope = TensorScope.open();
  private final Random random = new Random(1);

  @BeforeAll
  static void open() {
    backend = CpuBackend.open(2);
  }

  @AfterAll
  static void closeBackend() {
    backend.close();
  }

  @AfterEach
  void close() {
    scope.close();
  }

  private double[] integers(Shape shape) {
    return random.ints(shape.size(), -2, 3).asDoubleStream().toArray();
  }

  private void assertExact(DType half, Op op, Shape left, Shape right) {
    double[] a = integers(left);
    double[] b = integers(right);
    Tensor expected = product(DType.FP32, op, left, a, right, b);
    Tensor got = product(half, op, left, a, right, b);
    for (int i = 0; i < expected.spec().size(); i++) {
      assertEquals(expected.at(i), got.at(i), "element " + i);
    }
  }

  private Tensor product(DType dtype, Op op, Shape left, double[] a, Shape right, double[] b) {
    Tensor x = Tensor.of(scope, TensorSpec.of(dtype, left.toArray()), a);
    Tensor y = Tensor.of(scope, TensorSpec.of(dtype, right.toArray()), b);
    return backend.eager(scope).execute(op, List.of(x, y), CellPath.ROOT).getFirst();
  }

  @ParameterizedTest
  @CsvSource({"FP16, 3", "BF16, 3", "FP16, 17", "BF16, 17"})
  void aColumnThatIsReadAsARow(DType half, int length) {
    MatMul product = new MatMul(true, true, false);
    assertExact(half, product, Shape.of(3, length, 1), Shape.of(1, length));
  }

  /** Image and kernel in height and width. */
  @ParameterizedTest
  @CsvSource({
    "4, 3, 1, 2, 3",
    "9, 2, 3, 3, 3",
    "12, 5, 4, 3, 2",
    "5, 5, 3, 3, 3",
    "14, 3, 3, 3, 3"
  })
  void stridedWindowsThatGiveOneColumn(
      int height, int width, int kernelHeight, int kernelWidth, int stride) {
    Padding2d padding = new Padding2d(0, 2, 0, 0);
    var geometry = new Conv2dGeometry(stride, stride, padding, 1, 1, 1);
    for (DType half : List.of(DType.FP16, DType.BF16)) {
      Shape image = Shape.of(2, 8, height, Math.max(width, kernelWidth));
      assertExact(half, new Conv2d(geometry), image, Shape.of(16, 8, kernelHeight, kernelWidth));
    }
  }

  @ParameterizedTest
  @CsvSource({"FP16, 1, 1", "BF16, 1, 1", "FP16, 2, 0", "BF16, 2, 0", "FP16, 2, 2", "BF16, 2, 2"})
  void aStrideThatIsWiderThanTheImage(DType half, int left, int right) {
    Padding2d padding = new Padding2d(1, 1, left, right);
    var geometry = new Conv2dGeometry(3, 3, padding, 1, 1, 1);
    int columns = (2 + left + right - 3) / 3 + 1;
    Shape weight = Shape.of(4, 16, 3, 3);
    var gradient = new Conv2dWeightGradient(geometry, weight, true);
    assertExact(half, gradient, Shape.of(1, 4, 3, columns), Shape.of(1, 16, 8, 2));
  }

  /** Image and kernel in height and width, stride and padding. */
  @ParameterizedTest
  @CsvSource({
    "32, 32, 5, 5, 1, 0",
    "28, 28, 5, 5, 1, 2",
    "28, 28, 3, 3, 1, 1",
    "9, 40, 2, 7, 2, 1",
    "7, 7, 7, 7, 1, 0",
    "3, 90, 3, 1, 3, 0"
  })
  void imagesOfOneChannel(
      int height, int width, int kernelHeight, int kernelWidth, int stride, int padding) {
    var geometry = Conv2dGeometry.square(stride, Math.min(padding, kernelWidth - 1));
    for (DType half : List.of(DType.FP16, DType.BF16)) {
      Shape image = Shape.of(3, 1, height, width);
      assertExact(half, new Conv2d(geometry), image, Shape.of(6, 1, kernelHeight, kernelWidth));
    }
  }
}
