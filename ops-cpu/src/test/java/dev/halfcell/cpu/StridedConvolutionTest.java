package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Convolutions whose windows skip pixels, and those of few channels: which kernels compute them and
 * their gradients, and that sums of small integers are exact in all of these.
 */
final class StridedConvolutionTest {
  private static final Backend REFERENCE = new ReferenceBackend();
  private static final Padding2d ONE = Padding2d.of(1);
  private static CpuBackend backend;

  private final TensorScope scope = TensorScope.open();
  private final Random random = new Random(1);

  /** A convolution of images x by so many filters. */
  record Case(Shape x, int filters, int size, Conv2dGeometry geometry) {
    static Case of(Shape x, int filters, int size, int stride, Padding2d padding) {
      return new Case(x, filters, size, new Conv2dGeometry(stride, stride, padding, 1, 1, 1));
    }

    Shape weight() {
      return Shape.of(filters, x.dim(1) / geometry.groups(), size, size);
    }

    Shape y() {
      int height = geometry.outputHeight(x.dim(2), size);
      return Shape.of(x.dim(0), filters, height, geometry.outputWidth(x.dim(3), size));
    }

    Op forward() {
      return new Conv2d(geometry);
    }

    Op inputGradient() {
      return new Conv2dInputGradient(geometry, x);
    }

    Op weightGradient() {
      return new Conv2dWeightGradient(geometry, weight(), false);
    }
  }

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

  /**
   * Whose gradients by the weight are products with windows, the first in some pieces and a rest.
   */
  static Stream<Case> manyChannels() {
    return Stream.of(
        Case.of(Shape.of(57, 64, 9, 17), 64, 3, 2, Padding2d.NONE),
        Case.of(Shape.of(2, 64, 15, 16), 64, 3, 2, new Padding2d(0, 1, 1, 0)),
        Case.of(Shape.of(3, 64, 16, 17), 80, 1, 2, Padding2d.NONE),
        Case.of(Shape.of(2, 72, 12, 12), 64, 5, 3, Padding2d.of(2)),
        new Case(Shape.of(2, 80, 13, 17), 64, 3, new Conv2dGeometry(2, 2, ONE, 1, 2, 1)),
        new Case(Shape.of(2, 64, 9, 9), 96, 3, new Conv2dGeometry(1, 3, ONE, 1, 1, 1)),
        Case.of(Shape.of(1, 64, 3, 3), 64, 3, 2, Padding2d.NONE));
  }

  static Stream<Case> convolutions() {
    return Stream.concat(
        manyChannels(),
        Stream.of(
            Case.of(Shape.of(3, 16, 9, 10), 24, 3, 2, ONE),
            Case.of(Shape.of(2, 32, 16, 16), 64, 3, 2, ONE),
            Case.of(Shape.of(3, 64, 16, 16), 80, 1, 2, Padding2d.NONE),
            Case.of(Shape.of(5, 32, 8, 8), 48, 1, 2, Padding2d.NONE),
            Case.of(Shape.of(5, 32, 8, 9), 48, 1, 2, Padding2d.NONE),
            Case.of(Shape.of(3, 32, 8, 9), 16, 1, 1, Padding2d.NONE),
            Case.of(Shape.of(3, 23, 8, 9), 21, 3, 2, new Padding2d(1, 0, 0, 1)),
            new Case(Shape.of(2, 31, 9, 9), 40, 3, new Conv2dGeometry(1, 2, ONE, 2, 2, 1)),
            Case.of(Shape.of(5, 17, 8, 9), 69, 1, 2, Padding2d.NONE),
            Case.of(Shape.of(2, 48, 7, 7), 64, 3, 1, ONE),
            Case.of(Shape.of(2, 32, 7, 9), 32, 3, 1, ONE),
            Case.of(Shape.of(1, 3, 20, 20), 16, 7, 2, Padding2d.of(3)),
            Case.of(Shape.of(3, 6, 14, 14), 16, 5, 1, Padding2d.NONE),
            Case.of(Shape.of(2, 1, 28, 28), 6, 5, 1, Padding2d.of(2)),
            Case.of(Shape.of(4, 1, 9, 9), 76, 1, 1, Padding2d.NONE)));
  }

  private Tensor integers(Shape shape, DType dtype) {
    double[] all = random.doubles(shape.size()).map(v -> Math.floor(v * 3) - 1).toArray();
    return Tensor.of(scope, TensorSpec.of(dtype, shape.toArray()), all);
  }

  private void assertExact(Op op, Shape first, Shape second) {
    for (DType dtype : List.of(DType.FP32, DType.BF16, DType.FP16)) {
      List<Tensor> in = List.of(integers(first, dtype), integers(second, dtype));
      Tensor expected = REFERENCE.eager(scope).execute(op, in, CellPath.ROOT).getFirst();
      Tensor got = backend.eager(scope).execute(op, in, CellPath.ROOT).getFirst();
      for (int i = 0; i < expected.spec().size(); i++) {
        assertEquals(expected.at(i), got.at(i), dtype.label() + " element " + i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("convolutions")
  void resultsAreThoseOfTheReference(Case of) {
    assertExact(of.forward(), of.x(), of.weight());
  }

  @ParameterizedTest
  @MethodSource("convolutions")
  void gradientsByTheInputAreThoseOfTheReference(Case of) {
    assertExact(of.inputGradient(), of.y(), of.weight());
  }

  @ParameterizedTest
  @MethodSource("convolutions")
  void gradientsByTheWeightAreThoseOfTheReference(Case of) {
    assertExact(of.weightGradient(), of.y(), of.x());
  }

  /** In some pieces for each part and, in FP32, a rest. */
  @Test
  void gradientsByTheWeightOfManyPixelsAreThoseOfTheReference() {
    Case many = Case.of(Shape.of(57, 64, 9, 17), 64, 3, 2, Padding2d.NONE);
    assertTrue(windows(many));
    assertExact(many.weightGradient(), many.y(), many.x());
  }

  private static String kernels(Op op, Shape first, Shape second) {
    return kernels(DType.FP32, op, first, second);
  }

  private static String kernels(DType dtype, Op op, Shape first, Shape second) {
    Argument a = Argument.data(first, Fill.exact(false));
    Argument b = Argument.data(second, Fill.exact(false));
    return String.join(", ", ChosenKernels.of(backend, OpCase.of(op, a, b), dtype));
  }

  private static boolean windows(Case of) {
    return kernels(of.weightGradient(), of.y(), of.x()).contains("windows");
  }

  @ParameterizedTest
  @MethodSource("manyChannels")
  void gradientsByTheWeightOfManyChannelsAreProducts(Case of) {
    assertTrue(windows(of));
  }

  /** Where windows overlap much, where channels are few or in groups, or pixels few. */
  @Test
  void otherGradientsByTheWeightAreNot() {
    assertFalse(windows(Case.of(Shape.of(9, 128, 20, 20), 128, 3, 1, ONE)));
    assertFalse(windows(Case.of(Shape.of(9, 64, 20, 20), 64, 7, 2, ONE)));
    assertFalse(windows(Case.of(Shape.of(9, 32, 20, 20), 64, 3, 2, ONE)));
    assertFalse(windows(Case.of(Shape.of(9, 64, 20, 20), 32, 3, 2, ONE)));
    assertFalse(windows(Case.of(Shape.of(2, 256, 15, 15), 256, 3, 2, Padding2d.NONE)));
    assertTrue(windows(Case.of(Shape.of(2, 256, 17, 17), 256, 3, 2, Padding2d.NONE)));
    Conv2dGeometry groups = new Conv2dGeometry(2, 2, ONE, 1, 1, 2);
    assertFalse(windows(new Case(Shape.of(9, 256, 20, 20), 256, 3, groups)));
  }

  private static String inputGradient(Case of) {
    return kernels(of.inputGradient(), of.y(), of.weight());
  }

  @Test
  void stridedGradientsByFewChannelsOrSinglePixelsGoThroughOlderKernels() {
    Case few = Case.of(Shape.of(3, 32, 16, 16), 64, 3, 2, ONE);
    Case single = Case.of(Shape.of(3, 256, 16, 16), 64, 1, 2, Padding2d.NONE);
    Case odd = Case.of(Shape.of(3, 256, 16, 16), 69, 1, 2, Padding2d.NONE);
    assertTrue(inputGradient(few).startsWith("jit"), inputGradient(few));
    assertTrue(inputGradient(single).startsWith("jit"), inputGradient(single));
    assertTrue(inputGradient(odd).startsWith("brg"), inputGradient(odd));
  }

  @Test
  void imagesOfFewChannelsGoThroughOlderKernels() {
    Case few = Case.of(Shape.of(3, 6, 14, 14), 16, 5, 1, Padding2d.NONE);
    Case more = Case.of(Shape.of(3, 16, 14, 14), 16, 5, 1, Padding2d.NONE);
    String kernels = kernels(few.forward(), few.x(), few.weight());
    assertTrue(kernels.startsWith("jit"), kernels);
    kernels = kernels(more.forward(), more.x(), more.weight());
    assertTrue(kernels.startsWith("brg"), kernels);
  }

  /** Where BF16 is computed in vectors; in tiles oneDNN's first choice stands. */
  @Test
  void halvesGoThroughOlderKernelsInMoreCases() {
    Case plain = Case.of(Shape.of(3, 48, 14, 14), 48, 3, 1, ONE);
    Case some = Case.of(Shape.of(3, 32, 14, 14), 48, 3, 1, ONE);
    Case single = Case.of(Shape.of(3, 64, 14, 14), 128, 1, 2, Padding2d.NONE);
    String first = forwardInBf16(plain);
    assumeTrue(first.contains("bf16"), () -> "BF16 is not computed here: " + first);
    boolean vectors = !first.contains("amx");
    assertTrue(first.startsWith("brg"), first);
    assertEquals(vectors, forwardInBf16(some).startsWith("jit"), forwardInBf16(some));
    assertEquals(vectors, forwardInBf16(single).startsWith("jit"), forwardInBf16(single));
    String gradient = kernels(DType.BF16, some.inputGradient(), some.y(), some.weight());
    assertEquals(vectors, gradient.startsWith("jit"), gradient);
  }

  private static String forwardInBf16(Case of) {
    return kernels(DType.BF16, of.forward(), of.x(), of.weight());
  }
}
