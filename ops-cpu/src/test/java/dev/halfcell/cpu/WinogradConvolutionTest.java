package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.testkit.Argument;
import dev.halfcell.testkit.Fill;
import dev.halfcell.testkit.OpCase;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Convolutions in Winograd's form and their gradients by x and the weight beside those of the
 * reference, for whole and cut tiles, images smaller than a tile, and every padding that they are
 * computed so with.
 */
final class WinogradConvolutionTest {
  /** Of the sum of the magnitudes of what is summed: what oneDNN's own sums were within here. */
  private static final double BOUND = 3.2e-7;

  private static final Backend REFERENCE = new ReferenceBackend();
  private static CpuBackend backend;

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

  static Stream<Arguments> convolutions() {
    Padding2d one = Padding2d.of(1);
    return Stream.of(
        Arguments.of(Shape.of(2, 32, 5, 6), 48, one),
        Arguments.of(Shape.of(2, 64, 8, 8), 32, one),
        Arguments.of(Shape.of(5, 32, 16, 33), 32, one),
        Arguments.of(Shape.of(9, 32, 14, 14), 64, one),
        Arguments.of(Shape.of(1, 32, 1, 1), 32, Padding2d.of(2)),
        Arguments.of(Shape.of(3, 48, 2, 9), 32, new Padding2d(0, 2, 1, 0)),
        Arguments.of(Shape.of(1, 32, 7, 7), 64, new Padding2d(2, 1, 0, 2)),
        Arguments.of(Shape.of(2, 32, 3, 3), 32, Padding2d.NONE));
  }

  /** Large weights go over more tiles at a time, forward and back. */
  @Test
  void largeWeightsOfSmallIntegersAreExact() {
    Padding2d padding = Padding2d.of(1);
    Shape x = Shape.of(4, 480, 8, 8);
    DoubleSupplier integers = () -> random.nextInt(-2, 3);
    Tensor image = tensor(x, integers);
    Tensor weight = tensor(Shape.of(288, 480, 3, 3), integers);
    assertTrue(winograd(new Conv2d(geometry(padding)), x, 288, 480));
    assertExact(new Conv2d(geometry(padding)), List.of(image, weight));
  }

  /** Whose gradients by the weight go through the form; the last in two pieces for each part. */
  static Stream<Arguments> manyWindows() {
    return Stream.of(
        Arguments.of(Shape.of(8, 64, 8, 8), 32, Padding2d.of(1)),
        Arguments.of(Shape.of(8, 32, 7, 8), 32, Padding2d.of(1)),
        Arguments.of(Shape.of(7, 48, 9, 10), 32, new Padding2d(0, 2, 1, 0)),
        Arguments.of(Shape.of(12, 32, 7, 7), 64, new Padding2d(2, 1, 0, 2)),
        Arguments.of(Shape.of(20, 32, 7, 7), 32, Padding2d.NONE),
        Arguments.of(Shape.of(9, 32, 14, 14), 64, Padding2d.of(1)),
        Arguments.of(Shape.of(2, 128, 17, 17), 96, Padding2d.of(1)));
  }

  static Stream<Arguments> weightGradients() {
    return Stream.concat(convolutions(), manyWindows());
  }

  private static Conv2dGeometry geometry(Padding2d padding) {
    return new Conv2dGeometry(1, 1, padding, 1, 1, 1);
  }

  private static Shape result(Shape x, int filters, Padding2d padding) {
    Conv2dGeometry geometry = geometry(padding);
    return Shape.of(
        x.dim(0), filters, geometry.outputHeight(x.dim(2), 3), geometry.outputWidth(x.dim(3), 3));
  }

  private Tensor tensor(Shape shape, DoubleSupplier values) {
    double[] all =
        Stream.generate(values::getAsDouble).limit(shape.size()).mapToDouble(v -> v).toArray();
    return Tensor.of(scope, TensorSpec.of(DType.FP32, shape.toArray()), all);
  }

  private Tensor magnitudes(Tensor x) {
    double[] all = new double[Math.toIntExact(x.spec().size())];
    for (int i = 0; i < all.length; i++) {
      all[i] = Math.abs(x.at(i));
    }
    return Tensor.of(scope, x.spec(), all);
  }

  private Tensor run(Backend on, Op op, List<Tensor> in) {
    return on.eager(scope).execute(op, in, CellPath.ROOT).getFirst();
  }

  private void assertClose(Op op, List<Tensor> in) {
    Tensor expected = run(REFERENCE, op, in);
    Tensor sums = run(REFERENCE, op, in.stream().map(this::magnitudes).toList());
    Tensor got = run(backend, op, in);
    for (int i = 0; i < expected.spec().size(); i++) {
      double share = Math.abs(got.at(i) - expected.at(i)) / sums.at(i);
      assertEquals(expected.at(i), got.at(i), BOUND * sums.at(i), "element " + i + ": " + share);
    }
  }

  private void assertExact(Op op, List<Tensor> in) {
    Tensor expected = run(REFERENCE, op, in);
    Tensor got = run(backend, op, in);
    for (int i = 0; i < expected.spec().size(); i++) {
      assertEquals(expected.at(i), got.at(i), "element " + i);
    }
  }

  @ParameterizedTest
  @MethodSource("convolutions")
  void resultsAreThoseOfTheReference(Shape x, int filters, Padding2d padding) {
    Op op = new Conv2d(geometry(padding));
    List<Tensor> in =
        List.of(
            tensor(x, random::nextGaussian),
            tensor(Shape.of(filters, x.dim(1), 3, 3), random::nextGaussian),
            tensor(Shape.of(filters), random::nextGaussian));
    assertClose(op, in);
    assertClose(op, in.subList(0, 2));
  }

  @ParameterizedTest
  @MethodSource("convolutions")
  void gradientsByTheInputAreThoseOfTheReference(Shape x, int filters, Padding2d padding) {
    Op op = new Conv2dInputGradient(geometry(padding), x);
    Tensor d = tensor(result(x, filters, padding), random::nextGaussian);
    Tensor weight = tensor(Shape.of(filters, x.dim(1), 3, 3), random::nextGaussian);
    assertClose(op, List.of(d, weight));
  }

  @ParameterizedTest
  @MethodSource("weightGradients")
  void gradientsByTheWeightAreThoseOfTheReference(Shape x, int filters, Padding2d padding) {
    List<Tensor> in =
        List.of(
            tensor(result(x, filters, padding), random::nextGaussian),
            tensor(x, random::nextGaussian));
    assertClose(weightGradient(x, filters, padding), in);
  }

  @ParameterizedTest
  @MethodSource("weightGradients")
  void gradientsByTheWeightOfSmallIntegersAreExact(Shape x, int filters, Padding2d padding) {
    DoubleSupplier integers = () -> random.nextInt(-2, 3);
    List<Tensor> in = List.of(tensor(result(x, filters, padding), integers), tensor(x, integers));
    assertExact(weightGradient(x, filters, padding), in);
  }

  private static Op weightGradient(Shape x, int filters, Padding2d padding) {
    Shape weight = Shape.of(filters, x.dim(1), 3, 3);
    return new Conv2dWeightGradient(geometry(padding), weight, false);
  }

  /** Halves of halves of small integers are exact, and so are their sums. */
  @ParameterizedTest
  @MethodSource("convolutions")
  void smallIntegersAreExact(Shape x, int filters, Padding2d padding) {
    DoubleSupplier integers = () -> random.nextInt(-2, 3);
    Tensor weight = tensor(Shape.of(filters, x.dim(1), 3, 3), integers);
    Tensor bias = tensor(Shape.of(filters), integers);
    assertExact(new Conv2d(geometry(padding)), List.of(tensor(x, integers), weight, bias));
    Tensor d = tensor(result(x, filters, padding), integers);
    assertExact(new Conv2dInputGradient(geometry(padding), x), List.of(d, weight));
  }

  /** Without its bias and with it, which is added to sums that are kept. */
  @ParameterizedTest
  @MethodSource("convolutions")
  void transposedConvolutionsAreThoseOfTheReference(Shape x, int filters, Padding2d padding) {
    Op op = new Conv2dTranspose(geometry(padding), 0, 0);
    List<Tensor> in =
        List.of(
            tensor(result(x, filters, padding), random::nextGaussian),
            tensor(Shape.of(filters, x.dim(1), 3, 3), random::nextGaussian),
            tensor(Shape.of(x.dim(1)), random::nextGaussian));
    assertClose(op, in.subList(0, 2));
    assertClose(op, in);
  }

  /** What the sum of all products makes NaN, and nothing else. */
  @ParameterizedTest
  @MethodSource("convolutions")
  void noNumberReachesTheSamePixels(Shape x, int filters, Padding2d padding) {
    Op op = new Conv2d(geometry(padding));
    Tensor weight = tensor(Shape.of(filters, x.dim(1), 3, 3), random::nextGaussian);
    int[] place = {-1};
    int at = random.nextInt(Math.toIntExact(x.size()));
    Tensor image = tensor(x, () -> ++place[0] == at ? Double.NaN : random.nextGaussian());
    Tensor expected = run(REFERENCE, op, List.of(image, weight));
    Tensor got = run(backend, op, List.of(image, weight));
    for (int i = 0; i < expected.spec().size(); i++) {
      assertEquals(Double.isNaN(expected.at(i)), Double.isNaN(got.at(i)), "element " + i);
    }
  }

  /** And other channels stay numbers. */
  @ParameterizedTest
  @MethodSource("weightGradients")
  void noNumberReachesTheGradientsOfItsChannel(Shape x, int filters, Padding2d padding) {
    Op op = weightGradient(x, filters, padding);
    int[] place = {-1};
    int at = random.nextInt(Math.toIntExact(x.size()));
    Tensor image = tensor(x, () -> ++place[0] == at ? Double.NaN : random.nextGaussian());
    Tensor d = tensor(result(x, filters, padding), random::nextGaussian);
    Tensor expected = run(REFERENCE, op, List.of(d, image));
    Tensor got = run(backend, op, List.of(d, image));
    int channel = at / (x.dim(2) * x.dim(3)) % x.dim(1);
    for (int i = 0; i < expected.spec().size(); i++) {
      boolean same = i / 9 % x.dim(1) == channel;
      assertTrue(!Double.isNaN(expected.at(i)) || Double.isNaN(got.at(i)), "element " + i);
      assertTrue(same || !Double.isNaN(got.at(i)), "element " + i);
    }
  }

  private static boolean winograd(Op op, Shape image, int filters, int channels) {
    return winograd(op, image, Shape.of(filters, channels, 3, 3));
  }

  private static boolean winograd(Op op, Shape first, Shape second) {
    Argument a = Argument.data(first, Fill.exact(false));
    Argument b = Argument.data(second, Fill.exact(false));
    return ChosenKernels.of(backend, OpCase.of(op, a, b), DType.FP32).stream()
        .anyMatch(kernel -> kernel.contains("winograd"));
  }

  private static boolean winograd(int channels, int filters, Conv2dGeometry geometry) {
    return winograd(new Conv2d(geometry), Shape.of(1, channels, 9, 9), filters, channels);
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 48, 512})
  void manyChannelsGoThroughTheForm(int channels) {
    Conv2dGeometry geometry = geometry(Padding2d.of(1));
    assertTrue(winograd(channels, 32, geometry));
    Shape x = Shape.of(1, channels, 9, 9);
    Shape d = Shape.of(1, 32, 9, 9);
    assertTrue(winograd(new Conv2dInputGradient(geometry, x), d, 32, channels));
    assertTrue(winograd(new Conv2dTranspose(geometry, 0, 0), d, 32, channels));
  }

  @Test
  void largeWeightsGoThroughTheFormWithManyPixels() {
    Op op = new Conv2d(geometry(Padding2d.of(1)));
    assertTrue(winograd(op, Shape.of(1, 256, 9, 9), 512, 256));
    assertFalse(winograd(op, Shape.of(3, 512, 9, 9), 512, 512));
    assertTrue(winograd(op, Shape.of(4, 512, 9, 9), 512, 512));
  }

  @ParameterizedTest
  @MethodSource("manyWindows")
  void gradientsByTheWeightGoThroughTheForm(Shape x, int filters, Padding2d padding) {
    assertTrue(winograd(weightGradient(x, filters, padding), result(x, filters, padding), x));
  }

  /** Where taps are sums of few windows, what is rounded in the form would be much beside them. */
  @Test
  void gradientsByTheWeightOfFewWindowsDoNot() {
    assertTrue(weightGradientByTheForm(Shape.of(4, 32, 9, 9), Padding2d.of(1)));
    assertFalse(weightGradientByTheForm(Shape.of(3, 32, 9, 9), Padding2d.of(1)));
    assertFalse(weightGradientByTheForm(Shape.of(300, 32, 1, 1), new Padding2d(2, 0, 2, 0)));
  }

  /** Nor where tiles are cut so that nothing is saved, or are few for large sums. */
  @Test
  void otherGradientsByTheWeightDoNot() {
    assertFalse(weightGradientByTheForm(Shape.of(4, 16, 9, 9), Padding2d.of(1)));
    assertFalse(weightGradientByTheForm(Shape.of(4, 32, 9, 9), Padding2d.of(3)));
    assertFalse(weightGradientByTheForm(Shape.of(300, 32, 3, 3), Padding2d.NONE));
    assertFalse(weightGradientByTheForm(Shape.of(300, 32, 3, 3), Padding2d.of(1)));
    assertTrue(weightGradientByTheForm(Shape.of(8, 256, 8, 8), Padding2d.of(1)));
    Padding2d one = Padding2d.of(1);
    assertTrue(
        winograd(
            weightGradient(Shape.of(8, 128, 8, 8), 256, one),
            Shape.of(8, 256, 8, 8),
            Shape.of(8, 128, 8, 8)));
    assertFalse(
        winograd(
            weightGradient(Shape.of(7, 128, 8, 8), 256, one),
            Shape.of(7, 256, 8, 8),
            Shape.of(7, 128, 8, 8)));
  }

  private static boolean weightGradientByTheForm(Shape x, Padding2d padding) {
    return winograd(weightGradient(x, 32, padding), result(x, 32, padding), x);
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 48, 256})
  void otherConvolutionsDoNot(int channels) {
    Conv2dGeometry geometry = geometry(Padding2d.of(1));
    assertFalse(winograd(channels, 8, geometry));
    assertFalse(winograd(channels, 40, geometry));
    assertFalse(winograd(channels, 544, geometry));
    assertFalse(winograd(channels, 32, geometry(Padding2d.of(3))));
    assertFalse(winograd(channels, 32, new Conv2dGeometry(2, 2, Padding2d.of(1), 1, 1, 1)));
    assertFalse(winograd(new Conv2d(geometry), Shape.of(1, channels, 3, 1025), 32, channels));
  }
}
