package dev.halfcell.op.precision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.SumOfProducts;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sums of products whose running sum is rounded to half after each product. */
class WithPartialsTest {
  private static final Conv2dGeometry PLAIN = Conv2dGeometry.square(1, 0);
  private static final MatMul PRODUCT = new MatMul(false, false, false);

  private final TensorScope scope = TensorScope.open();
  private final Ops ops = new Ops(new ReferenceBackend().eager(scope), new CellPath("/cell"));

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor filled(double value, int... dims) {
    TensorSpec spec = TensorSpec.of(DType.FP16, dims);
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.fill(values, value);
    return Tensor.of(scope, spec, values);
  }

  private Tensor numbers(DType dtype, Shape shape, double... values) {
    return Tensor.of(scope, new TensorSpec(dtype, shape), values);
  }

  /** Ten thousand products to each sum. */
  record Case(SumOfProducts op, int[] ones, int[] small) {}

  static List<Case> tenThousand() {
    int[] image = {1, 100, 10, 10};
    return List.of(
        new Case(PRODUCT, new int[] {1, 10_000}, new int[] {10_000, 1}),
        new Case(PRODUCT, new int[] {2, 1, 10_000}, new int[] {2, 10_000, 1}),
        new Case(new Dense(), new int[] {1, 10_000}, new int[] {1, 10_000}),
        new Case(new Conv2d(PLAIN), image, image),
        new Case(
            new Conv2dTranspose(PLAIN, 0, 0),
            new int[] {1, 10_000, 1, 1},
            new int[] {10_000, 1, 1, 1}),
        new Case(
            new Conv2dInputGradient(PLAIN, Shape.of(1, 1, 1, 1)),
            new int[] {1, 10_000, 1, 1},
            new int[] {10_000, 1, 1, 1}),
        new Case(
            new Conv2dWeightGradient(PLAIN, Shape.of(1, 1, 1, 1), true),
            new int[] {4, 1, 50, 50},
            new int[] {4, 1, 50, 50}));
  }

  @ParameterizedTest
  @MethodSource("tenThousand")
  void tenThousandSmallProductsAddUpToAQuarterInFp16AndToOneInFp32(Case each) {
    Tensor ones = filled(1, each.ones());
    Tensor small = filled(1e-4, each.small());
    assertEquals(0.25, ops.run(new WithPartials(each.op(), DType.FP16), ones, small).at(0));
    double full = ops.run(each.op(), ones, small).at(0);
    assertEquals(1, DType.FP16.round(full));
    assertEquals(full, ops.run(new WithPartials(each.op(), DType.FP32), ones, small).at(0), 1e-3);
    assertEquals(0.03125, ops.run(new WithPartials(each.op(), DType.BF16), ones, small).at(0));
  }

  /** 2048 + 1 is 2048 in FP16, so that what is summed first decides. */
  @Test
  void aSumTakesItsProductsInTheOrderOfTheIndicesAndTheBiasLast() {
    Tensor ones = filled(1, 1, 3);
    Shape weight = Shape.of(1, 3);
    WithPartials dense = new WithPartials(new Dense(), DType.FP16);
    assertEquals(2048, ops.run(dense, ones, numbers(DType.FP16, weight, 2048, 1, 1)).item());
    assertEquals(2050, ops.run(dense, ones, numbers(DType.FP16, weight, 1, 1, 2048)).item());
    Tensor one = numbers(DType.FP16, Shape.of(1), 1);
    assertEquals(2048, ops.run(dense, ones, numbers(DType.FP16, weight, 2048, 0, 0), one).item());
    assertEquals(3, ops.run(dense, ones, numbers(DType.FP16, weight, 1, 1, 0), one).item());
  }

  @Test
  void aConvolutionSumsOverChannelsThenRowsThenColumns() {
    WithPartials conv = new WithPartials(new Conv2d(PLAIN), DType.FP16);
    Shape window = Shape.of(1, 2, 2, 2);
    Tensor ones = filled(1, 1, 2, 2, 2);
    assertEquals(2048, ops.run(conv, ones, halves(window, 2048, 1, 1, 1, 1, 1, 1, 1)).item());
    assertEquals(2050, ops.run(conv, ones, halves(window, 1, 1, 2048, 0, 0, 0, 0, 0)).item());
    assertEquals(2050, ops.run(conv, ones, halves(window, 0, 0, 1, 1, 2048, 0, 0, 0)).item());
    Tensor bias = numbers(DType.FP16, Shape.of(1), 1);
    assertEquals(2048, ops.run(conv, ones, halves(window, 2048, 0, 0, 0, 0, 0, 0, 0), bias).item());
  }

  private Tensor halves(Shape shape, double... values) {
    return numbers(DType.FP16, shape, values);
  }

  /** Samples first, then rows, then columns. */
  @Test
  void aWeightsGradientIsOneSumOverSamplesRowsAndColumns() {
    Op gradient =
        new WithPartials(new Conv2dWeightGradient(PLAIN, Shape.of(1, 1, 1, 1), true), DType.FP16);
    Tensor ones = filled(1, 2, 1, 2, 2);
    Shape shape = ones.shape();
    assertEquals(2048, ops.run(gradient, halves(shape, 2048, 1, 1, 1, 1, 1, 1, 1), ones).item());
    assertEquals(2052, ops.run(gradient, halves(shape, 1, 1, 1, 1, 2048, 1, 1, 1), ones).item());
  }

  @Test
  void aProductIsExactAndASumThatIsTooLargeIsAnInfinity() {
    WithPartials product = new WithPartials(PRODUCT, DType.FP16);
    Tensor a = halves(Shape.of(1, 2), 256, -255);
    Tensor b = halves(Shape.of(2, 1), 255, 256);
    assertEquals(0, ops.run(product, a, b).item(), "65280 - 65280");
    Tensor larger = halves(Shape.of(2, 1), 256, 256);
    assertEquals(Double.POSITIVE_INFINITY, ops.run(product, a, larger).item());
    Tensor small = halves(Shape.of(1, 1), 0x1p-14 + 0x1p-24);
    Tensor large = halves(Shape.of(1, 1), 2047);
    assertEquals(
        DType.FP16.round((0x1p-14 + 0x1p-24) * 2047), ops.run(product, small, large).item());
  }

  @Test
  void sumsInAWiderDtypeThanTheOpsOwnChangeNothing() {
    Tensor x = halves(Shape.of(2, 2), 1.5, 3, -2, 0.1);
    Tensor y = ops.run(new WithPartials(PRODUCT, DType.FP64), x, x);
    assertTrue(ops.run(PRODUCT, x, x).sameBits(y));
  }

  /** Each sum of products of the backward pass: those of inputs, and of parameters, in FP32. */
  @Test
  void gradientsKeepTheirSumsInTheSamePartials() {
    Tensor x = filled(1e-4, 10_000, 1);
    Tensor weight = filled(1, 1, 1);
    Tensor bias = filled(0, 1);
    Tape tape = new Tape(ops.executor());
    tape.watchInput(x);
    tape.watch(weight);
    tape.watch(bias);
    Op op = new WithPartials(new Dense(), DType.FP16);
    Tensor y = new Ops(tape, ops.at()).run(op, x, weight, bias);
    Map<Tensor, Tensor> gradients = tape.gradients(y, filled(1, 10_000, 1));
    assertEquals(TensorSpec.of(DType.FP32, 1, 1), gradient(gradients, weight).spec());
    assertArrayEquals(new double[] {0.25}, gradient(gradients, weight).toArray());
    assertArrayEquals(new double[] {10_000}, gradient(gradients, bias).toArray(), "no products");
    assertEquals(x.spec(), gradient(gradients, x).spec());
  }

  private static Tensor gradient(Map<Tensor, Tensor> gradients, Tensor of) {
    return Objects.requireNonNull(gradients.get(of));
  }

  @Test
  void theBackwardPassOfAConvolutionRunsWithPartialsAndPlainSumsDoNot() {
    List<String> ran = new ArrayList<>();
    Tape tape =
        new Tape(
            (op, in, at) -> {
              ran.add(op.label());
              return ops.executor().execute(op, in, at);
            });
    Tensor x = tape.watchInput(filled(1, 1, 1, 2, 2));
    Tensor weight = tape.watch(filled(1, 1, 1, 2, 2));
    Tensor bias = tape.watch(filled(1, 1));
    Op op = new WithPartials(new Conv2d(PLAIN), DType.BF16);
    Tensor y = tape.execute(op, List.of(x, weight, bias), ops.at()).getFirst();
    tape.gradients(y, filled(1, 1, 1, 1, 1));
    assertEquals(
        List.of(
            "Conv2d with bf16 partials",
            "Conv2dInputGradient with bf16 partials",
            "Conv2dWeightGradient with bf16 partials",
            "Sum"),
        ran);
  }

  @Test
  void whatSumsNoProductsIsLeftAsItIs() {
    Op add = new Add();
    assertSame(add, WithPartials.in(add, DType.FP16));
    Op narrow = WithPartials.in(PRODUCT, DType.FP16);
    assertEquals(new WithPartials(PRODUCT, DType.FP16), narrow);
    assertSame(narrow, WithPartials.in(narrow, DType.BF16));
    assertThrows(ArgumentException.class, () -> new WithPartials(PRODUCT, DType.INT64));
    List<TensorSpec> in = List.of(TensorSpec.of(DType.FP16, 2, 3), TensorSpec.of(DType.FP16, 3, 4));
    assertEquals(24, narrow.multiplyAdds(in));
  }

  @Test
  void aRefusalSaysWhatOpAndCellAndWhatToDo() {
    WithPartials conv =
        new WithPartials(new Conv2d(new Conv2dGeometry(1, 1, Padding2d.NONE, 1, 1, 1)), DType.FP16);
    UsageException e = conv.refused(new CellPath("/conv1"));
    assertEquals(
        "[Conv2d with fp16 partials] at /conv1: expected a backend that keeps sums of products in"
            + " fp16 on request, got one that keeps them in fp32. Take the reference backend, or"
            + " leave partials(FP16) out for this cell: partials(\"/conv1\", FP32).",
        e.problem().message());
  }
}
