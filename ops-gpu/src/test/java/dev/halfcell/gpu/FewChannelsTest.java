package dev.halfcell.gpu;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Convolutions of images of few channels by wide kernels, and their gradients by the weight, of
 * small whole numbers: every order of summation gives the same, so the bits are those of the
 * reference.
 */
@Tag("either")
final class FewChannelsTest {
  private final Random random = new Random(12);
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
   * The first layer of ResNet-50, of smaller images; several segments of a row, the last of them
   * shorter; an odd stride, a kernel of eight columns, results that fill no tile, more padding on
   * one side, none at all, windows that leave the image's last columns out.
   */
  static Stream<ConvolutionLayer> layers() {
    Conv2dGeometry uneven = new Conv2dGeometry(1, 1, new Padding2d(4, 0, 3, 4), 1, 1, 1);
    List<Integer> seven = List.of(7, 7);
    return Stream.of(
        ConvolutionLayer.of(List.of(2, 3, 20, 32), 64, seven, Conv2dGeometry.square(2, 3)),
        ConvolutionLayer.of(List.of(1, 3, 9, 304), 64, seven, Conv2dGeometry.square(2, 3)),
        ConvolutionLayer.of(List.of(1, 3, 9, 272), 40, seven, Conv2dGeometry.square(1, 3)),
        ConvolutionLayer.of(List.of(2, 2, 12, 24), 33, List.of(6, 8), uneven),
        ConvolutionLayer.of(List.of(2, 3, 16, 79), 64, seven, Conv2dGeometry.square(3, 0)),
        ConvolutionLayer.of(List.of(3, 1, 25, 38), 64, seven, Conv2dGeometry.square(4, 0)),
        ConvolutionLayer.of(List.of(1, 7, 6, 264), 48, List.of(3, 3), Conv2dGeometry.square(1, 1)));
  }

  @ParameterizedTest
  @MethodSource("layers")
  void passesAreThoseOfTheReference(ConvolutionLayer layer) {
    for (DType dtype : List.of(DType.FP16, DType.BF16)) {
      Tensor x = drawn(dtype, layer.image());
      Tensor weight = drawn(dtype, layer.weight());
      Tensor d = drawn(dtype, layer.windows());
      beside.assertSame(new Conv2d(layer.geometry()), x, weight);
      beside.assertSame(
          new Conv2d(layer.geometry()), x, weight, drawn(dtype, Shape.of(layer.weight().dim(0))));
      beside.assertSame(new Conv2dWeightGradient(layer.geometry(), layer.weight(), true), d, x);
      beside.assertSame(new Conv2dWeightGradient(layer.geometry(), layer.weight(), false), d, x);
    }
  }

  @ParameterizedTest
  @MethodSource("layers")
  void endlessNumbersReachWhatTheyMeet(ConvolutionLayer layer) {
    for (DType dtype : List.of(DType.FP16, DType.BF16)) {
      double endless = dtype == DType.FP16 ? Double.NEGATIVE_INFINITY : Double.NaN;
      Tensor weight = drawn(dtype, layer.weight());
      Tensor x = drawn(dtype, layer.image());
      Conv2d op = new Conv2d(layer.geometry());
      Elements.set(x.data(), dtype, layer.image().size() / 3, endless);
      Elements.set(x.data(), dtype, layer.image().size() - 1, endless);
      beside.assertSame(op, x, ones(dtype, layer.weight()));
      Conv2dWeightGradient gradient =
          new Conv2dWeightGradient(layer.geometry(), layer.weight(), true);
      beside.assertSame(gradient, ones(dtype, layer.windows()), x);
      Elements.set(weight.data(), dtype, layer.weight().size() / 2, endless);
      beside.assertSame(op, drawn(dtype, layer.image()), weight);
    }
  }

  /** What an infinity is multiplied by is not 0. */
  private Tensor ones(DType dtype, Shape shape) {
    double[] values = new double[Math.toIntExact(shape.size())];
    Arrays.fill(values, 1);
    return Tensor.of(beside.scope(), new TensorSpec(dtype, shape), values);
  }

  private Tensor drawn(DType dtype, Shape shape) {
    return beside.drawn(random, dtype, shape);
  }
}
