package dev.halfcell.gpu;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Convolutions whose images fit in a block's shared memory, and their gradients, of small whole
 * numbers: every order of summation gives the same, so the bits are those of the reference.
 */
@Tag("either")
final class SmallConvolutionsTest {
  private final Random random = new Random(11);
  private BesideReference beside;

  @BeforeEach
  void open() {
    beside = new BesideReference(TestedGpu.open());
  }

  @AfterEach
  void close() {
    beside.close();
  }

  /**
   * Layers of residual networks and of LeNet-5; slices of channels that are not full, three of
   * them, strips that are not full, odd planes, no padding and more on one side than on the other.
   */
  static Stream<ConvolutionLayer> layers() {
    Conv2dGeometry uneven = new Conv2dGeometry(1, 1, new Padding2d(2, 0, 1, 2), 1, 1, 1);
    return Stream.of(
        ConvolutionLayer.of(List.of(2, 16, 32, 32), 16, 3, Conv2dGeometry.square(1, 1)),
        ConvolutionLayer.of(List.of(3, 32, 16, 16), 32, 3, Conv2dGeometry.square(1, 1)),
        ConvolutionLayer.of(List.of(3, 64, 8, 8), 64, 3, Conv2dGeometry.square(1, 1)),
        ConvolutionLayer.of(List.of(2, 3, 32, 32), 16, 3, Conv2dGeometry.square(1, 1)),
        ConvolutionLayer.of(List.of(2, 16, 32, 32), 32, 3, Conv2dGeometry.square(2, 1)),
        ConvolutionLayer.of(List.of(2, 32, 16, 16), 64, 1, Conv2dGeometry.square(2, 0)),
        ConvolutionLayer.of(List.of(3, 1, 28, 28), 6, 5, Conv2dGeometry.square(1, 2)),
        ConvolutionLayer.of(List.of(3, 6, 14, 14), 16, 5, Conv2dGeometry.VALID),
        ConvolutionLayer.of(List.of(2, 40, 9, 11), 35, 3, Conv2dGeometry.square(1, 1)),
        ConvolutionLayer.of(List.of(5, 20, 13, 7), 50, 3, uneven),
        ConvolutionLayer.of(List.of(1, 33, 21, 23), 17, 5, Conv2dGeometry.square(3, 2)),
        ConvolutionLayer.of(List.of(600, 2, 3, 3), 5, 3, Conv2dGeometry.square(1, 1)));
  }

  @ParameterizedTest
  @MethodSource("layers")
  void allPassesAreThoseOfTheReference(ConvolutionLayer layer) {
    for (DType dtype : List.of(DType.FP16, DType.BF16)) {
      Tensor x = drawn(dtype, layer.image());
      Tensor weight = drawn(dtype, layer.weight());
      Tensor d = drawn(dtype, layer.windows());
      beside.assertSame(new Conv2d(layer.geometry()), x, weight);
      beside.assertSame(
          new Conv2d(layer.geometry()), x, weight, drawn(dtype, Shape.of(layer.weight().dim(0))));
      beside.assertSame(new Conv2dInputGradient(layer.geometry(), layer.image()), d, weight);
      beside.assertSame(new Conv2dWeightGradient(layer.geometry(), layer.weight(), true), d, x);
      beside.assertSame(new Conv2dWeightGradient(layer.geometry(), layer.weight(), false), d, x);
    }
  }

  @ParameterizedTest
  @MethodSource("layers")
  void infiniteWeightsReachWhatTheyMeet(ConvolutionLayer layer) {
    for (DType dtype : List.of(DType.FP16, DType.BF16)) {
      Tensor weight = drawn(dtype, layer.weight());
      double endless = dtype == DType.FP16 ? Double.NEGATIVE_INFINITY : Double.NaN;
      Elements.set(weight.data(), dtype, layer.weight().size() / 2, endless);
      beside.assertSame(new Conv2d(layer.geometry()), drawn(dtype, layer.image()), weight);
      if (layer.geometry().strideHeight() == 1) {
        beside.assertSame(
            new Conv2dTranspose(layer.geometry(), 0, 0), drawn(dtype, layer.windows()), weight);
      }
    }
  }

  private Tensor drawn(DType dtype, Shape shape) {
    return beside.drawn(random, dtype, shape);
  }
}
