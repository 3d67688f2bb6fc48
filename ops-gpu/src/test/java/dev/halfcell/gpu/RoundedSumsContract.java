package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.SumOfProducts;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sums that are rounded after each product are the reference's to the bit. */
abstract class RoundedSumsContract {
  private static final Conv2dGeometry PADDED =
      new Conv2dGeometry(2, 1, new Padding2d(1, 2, 0, 3), 1, 2, 2);

  private final Random random = new Random(11);
  private BesideReference beside;

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  @BeforeEach
  final void open() {
    beside = new BesideReference(openBackend());
  }

  @AfterEach
  final void close() {
    beside.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16", "FP32", "FP64"})
  final void denseLayers(DType sums) {
    compare(new Dense(), sums, Shape.of(3, 5, 70), Shape.of(9, 70), Shape.of(9));
    compare(new Dense(), sums, Shape.of(300, 7), Shape.of(2, 7));
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16", "FP32", "FP64"})
  final void products(DType sums) {
    compare(new MatMul(false, false, false), sums, Shape.of(5, 40), Shape.of(40, 6));
    compare(new MatMul(true, false, true), sums, Shape.of(40, 5), Shape.of(40, 6));
    compare(new MatMul(false, true, false), sums, Shape.of(4, 5, 40), Shape.of(6, 40));
    compare(new MatMul(true, true, false), sums, Shape.of(40, 5), Shape.of(4, 6, 40));
    compare(new MatMul(false, false, false), sums, Shape.of(2, 1, 3, 20), Shape.of(4, 20, 2));
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16", "FP32", "FP64"})
  final void convolutions(DType sums) {
    Shape image = Shape.of(2, 6, 7, 8);
    Shape weight = Shape.of(4, 3, 3, 2);
    Shape windows = Shape.of(2, 4, 4, 9);
    compare(new Conv2d(PADDED), sums, image, weight, Shape.of(4));
    compare(new Conv2d(PADDED), sums, image, weight);
    compare(new Conv2dInputGradient(PADDED, image), sums, windows, weight);
    compare(new Conv2dWeightGradient(PADDED, weight, true), sums, windows, image);
    compare(new Conv2dWeightGradient(PADDED, weight, false), sums, windows, image);
    compare(new Conv2dTranspose(PADDED, 1, 0), sums, windows, weight, Shape.of(6));
  }

  @Test
  final void sumsBeyondTheirDtypeAreInfinite() {
    Tensor large = Tensor.of(beside.scope(), TensorSpec.of(DType.FP16, 1, 3), 60000, 60000, -60000);
    Tensor ones = Tensor.of(beside.scope(), TensorSpec.of(DType.FP16, 3, 1), 1, 1, 1);
    WithPartials op = new WithPartials(new MatMul(false, false, true), DType.FP16);
    compare(op, large, ones);
    compare(new WithPartials(op.of(), DType.BF16), large, ones);
  }

  private void compare(SumOfProducts op, DType sums, Shape... in) {
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      Tensor[] tensors =
          Arrays.stream(in)
              .map(shape -> numbers(new TensorSpec(dtype, shape)))
              .toArray(Tensor[]::new);
      compare(new WithPartials(op, sums), tensors);
    }
  }

  private void compare(WithPartials op, Tensor... in) {
    Tensor right = beside.right(op, in).getFirst();
    Tensor got = beside.got(op, in).getFirst();
    assertArrayEquals(
        right.toArray(), got.toArray(), op.label() + " of " + Tensor.specs(List.of(in)));
  }

  /** Of many sizes, so that most sums are rounded at each step. */
  private Tensor numbers(TensorSpec spec) {
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.setAll(values, _ -> random.nextGaussian() * Math.exp(2 * random.nextGaussian()));
    return Tensor.of(beside.scope(), spec, values);
  }
}
