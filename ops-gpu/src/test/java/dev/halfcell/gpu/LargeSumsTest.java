package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Results of several tall tiles and sums in several parts, which the cases of the contract of ops
 * are too small for. Of whole numbers every right order of summation gives the same.
 */
@Tag("either")
final class LargeSumsTest {
  private final TensorScope scope = TensorScope.guarded();
  private final Random random = new Random(3);
  private final Backend reference = new ReferenceBackend();
  private Backend gpu;

  @BeforeEach
  void open() {
    gpu = TestedGpu.open();
  }

  @AfterEach
  void close() {
    gpu.close();
    scope.close();
  }

  private Tensor drawn(DType dtype, int... dims) {
    TensorSpec spec = TensorSpec.of(dtype, dims);
    Tensor tensor = scope.allocate(spec);
    for (long i = 0; i < spec.size(); i++) {
      Elements.set(tensor.data(), dtype, i, random.nextInt(7) - 3);
    }
    return tensor;
  }

  private List<Tensor> on(Backend backend, Op op, List<Tensor> in) {
    return backend.eager(scope).execute(op, in, CellPath.ROOT);
  }

  /** The GPU gives what the reference gives. */
  private void same(Op op, Tensor... in) {
    List<Tensor> want = on(reference, op, List.of(in));
    List<Tensor> got = on(gpu, op, List.of(in));
    for (int output = 0; output < want.size(); output++) {
      List<String> wrong = new ArrayList<>();
      for (int i = 0; i < want.get(output).spec().size() && wrong.size() < 5; i++) {
        double right = want.get(output).at(i);
        double other = got.get(output).at(i);
        if (right != other && !(Double.isNaN(right) && Double.isNaN(other))) {
          wrong.add(i + ": " + other + " in the place of " + right);
        }
      }
      assertEquals(List.of(), wrong, op + " of " + Tensor.specs(List.of(in)));
    }
  }

  private static Conv2dGeometry strided(int stride, int dilation, int groups) {
    return new Conv2dGeometry(
        stride, stride, new Padding2d(1, 0, 2, 1), dilation, dilation, groups);
  }

  @Test
  void convolutionsOfManyPlaces() {
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      Tensor x = drawn(dtype, 2, 6, 50, 90);
      same(new Conv2d(strided(1, 2, 2)), x, drawn(dtype, 40, 3, 3, 3), drawn(dtype, 40));
    }
  }

  /** Tiles of 64 channels are for those who fill many of them. */
  @Test
  void convolutionsOfManyChannels() {
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      Tensor weight = drawn(dtype, 70, 5, 3, 3);
      same(new Conv2d(strided(1, 1, 1)), drawn(dtype, 1, 5, 66, 68), weight, drawn(dtype, 70));
      Tensor d = drawn(dtype, 1, 5, 66, 68);
      same(new Conv2dTranspose(strided(1, 1, 1), 0, 0), d, drawn(dtype, 5, 70, 3, 3));
    }
  }

  @Test
  void gradientsByAnImageOfManyPlacesInPhases() {
    Shape image = Shape.of(1, 40, 101, 99);
    Conv2dGeometry geometry = strided(2, 3, 2);
    Tensor d = drawn(DType.BF16, 1, 6, 50, 48);
    Tensor weight = drawn(DType.BF16, 6, 20, 2, 3);
    same(new Conv2dInputGradient(geometry, image), d, weight);
    same(new Conv2dTranspose(geometry, 1, 0), d, weight, drawn(DType.BF16, 40));
    Conv2dGeometry even = strided(2, 2, 1);
    same(new Conv2dTranspose(even, 1, 1), d, drawn(DType.BF16, 6, 20, 2, 3));
  }

  /** An infinite weight meets nothing outside of what is read: no zero makes it no number. */
  @Test
  void infiniteWeightsReachWhatTheyMeet() {
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      Tensor weight = drawn(dtype, 8, 20, 3, 3);
      Elements.set(weight.data(), dtype, 700, Double.POSITIVE_INFINITY);
      Tensor d = drawn(dtype, 3, 8, 60, 60);
      same(new Conv2dTranspose(strided(1, 1, 1), 0, 0), d, weight);
      same(new Conv2d(strided(2, 1, 1)), drawn(dtype, 1, 20, 9, 9), weight);
    }
  }

  @Test
  void gradientsByAWeightInParts() {
    for (boolean wide : List.of(true, false)) {
      for (int outputs : List.of(2, 12, 70)) {
        Conv2dGeometry geometry = strided(1, 1, 2);
        Shape weight = Shape.of(outputs * 2, 9, 3, 3);
        Tensor d = drawn(DType.FP16, 3, outputs * 2, 22, 21);
        same(new Conv2dWeightGradient(geometry, weight, wide), d, drawn(DType.FP16, 3, 18, 23, 20));
      }
    }
  }

  @Test
  void productsInParts() {
    for (int kind = 0; kind < 8; kind++) {
      MatMul op = new MatMul((kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0);
      Tensor a = op.transposeA() ? drawn(DType.FP16, 600, 70) : drawn(DType.FP16, 70, 600);
      Tensor b = op.transposeB() ? drawn(DType.FP16, 130, 600) : drawn(DType.FP16, 600, 130);
      same(op, a, b);
    }
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      same(new Dense(), drawn(dtype, 3, 5, 700), drawn(dtype, 90, 700), drawn(dtype, 90));
    }
  }

  @Test
  void manyProductsWhoseLeadingAxesAreRepeatedInTurns() {
    Tensor a = drawn(DType.FP32, 7, 1, 3, 40, 21);
    Tensor b = drawn(DType.FP32, 9, 1, 21, 70);
    same(new MatMul(false, false, false), a, b);
    Tensor tall = drawn(DType.BF16, 9000, 30);
    same(new Dense(), tall, drawn(DType.BF16, 20, 30), drawn(DType.BF16, 20));
  }

  @Test
  void windowsOfManyPlaces() {
    Tensor x = drawn(DType.FP16, 2, 3, 43, 37);
    AdaptiveWindow2d windows = new AdaptiveWindow2d(2, 2);
    same(new AvgPool2d(windows), x);
    same(new MaxPool2d(windows), x);
    Tensor position = on(reference, new MaxPool2d(windows), List.of(x)).get(1);
    assertEquals(DType.INT32, position.dtype());
    same(new MaxPool2dGradient(windows, x.shape()), drawn(DType.FP16, 2, 3, 2, 2), position);
  }
}
