package dev.halfcell.backend;

import static dev.halfcell.tensor.DType.BF16;
import static dev.halfcell.tensor.DType.BOOL;
import static dev.halfcell.tensor.DType.FP16;
import static dev.halfcell.tensor.DType.FP32;
import static dev.halfcell.tensor.DType.INT64;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ReferenceBackendTest {
  private static final double NAN = Double.NaN;
  private static final double INF = Double.POSITIVE_INFINITY;

  private final TensorScope scope = TensorScope.open();
  private final ReferenceBackend backend = new ReferenceBackend();

  @AfterEach
  void close() {
    scope.close();
    backend.close();
  }

  private List<Tensor> run(Op op, Tensor... in) {
    return backend.eager(scope).execute(op, List.of(in), new CellPath("/here"));
  }

  private Tensor fp32(Shape shape, double... values) {
    return Tensor.of(scope, new TensorSpec(FP32, shape), values);
  }

  private Tensor row(double... values) {
    return fp32(Shape.of(values.length), values);
  }

  private Tensor scalar(DType dtype, double value) {
    return Tensor.scalar(scope, dtype, value);
  }

  private static void assertValues(Tensor got, double... want) {
    assertArrayEquals(want, got.toArray(), 0);
  }

  @Test
  void additionRepeatsMissingAxesAndAxesOfSizeOne() {
    Tensor column = fp32(Shape.of(2, 1), 10, 20);
    assertValues(run(new Add(), column, row(1, 2, 3)).getFirst(), 11, 12, 13, 21, 22, 23);
  }

  @Test
  void reluKeepsNotANumberAndItsGradientLooksAtTheOutput() {
    assertValues(run(new Relu(), row(-1, 0, 2, NAN, INF)).getFirst(), 0, 0, 2, NAN, INF);
    assertValues(run(new ReluGradient(), row(5, 6, NAN), row(0, 2, 1)).getFirst(), 0, 6, NAN);
  }

  @Test
  void matrixProductsOfAllFourTranspositionsAgree() {
    Tensor a = fp32(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    Tensor aTransposed = fp32(Shape.of(3, 2), 1, 4, 2, 5, 3, 6);
    Tensor b = fp32(Shape.of(3, 2), 7, 8, 9, 10, 11, 12);
    Tensor bTransposed = fp32(Shape.of(2, 3), 7, 9, 11, 8, 10, 12);
    double[] want = {58, 64, 139, 154};
    assertValues(run(new MatMul(false, false, false), a, b).getFirst(), want);
    assertValues(run(new MatMul(true, false, false), aTransposed, b).getFirst(), want);
    assertValues(run(new MatMul(false, true, false), a, bTransposed).getFirst(), want);
    assertValues(run(new MatMul(true, true, false), aTransposed, bTransposed).getFirst(), want);
    assertValues(run(new Dense(), a, bTransposed, row(1, -1)).getFirst(), 59, 63, 140, 153);
  }

  @Test
  void aProductOfHalvesIsRoundedOnceAndTheWideOneNotAtAll() {
    TensorSpec spec = TensorSpec.of(FP16, 1, 2);
    Tensor a = Tensor.of(scope, spec, 1, 0x1p-11);
    Tensor b = Tensor.of(scope, spec, 1, 1 + 0x1p-10);
    assertValues(run(new MatMul(false, true, true), a, b).getFirst(), 1 + 0x1p-11 + 0x1p-21);
    assertValues(run(new MatMul(false, true, false), a, b).getFirst(), 1 + 0x1p-10);
  }

  @Test
  void convolutionWithPaddingStrideAndDilation() {
    Tensor x = fp32(Shape.of(1, 1, 3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9);
    Tensor weight = fp32(Shape.of(1, 1, 2, 2), 1, 10, 100, 1000);
    Conv2dGeometry corner = new Conv2dGeometry(1, 1, new Padding2d(1, 0, 1, 0), 2, 2, 1);
    // Windows reach 2 rows and columns down-right from (-1, -1): 1000 · x[1 + i, 1 + j] and so on.
    assertValues(
        run(new Conv2d(corner), x, weight).getFirst(),
        5000,
        4 * 100 + 6000,
        20 + 8000,
        1 + 30 + 700 + 9000);
    Conv2dGeometry strided = Conv2dGeometry.square(2, 1);
    assertValues(
        run(new Conv2d(strided), x, weight, row(0.5)).getFirst(),
        1000.5,
        3200.5,
        7040.5,
        9000.5 + 800 + 60 + 5);
  }

  @Test
  void maximumPoolingTakesTheFirstOfEqualsAndNotANumberIsLarger() {
    Tensor x = fp32(Shape.of(1, 1, 2, 4), 3, 3, -1, NAN, 3, 1, INF, 7);
    MaxPool2d pool = new MaxPool2d(Window2d.square(2, 2, 0));
    List<Tensor> out = run(pool, x);
    assertValues(out.get(0), 3, NAN);
    assertValues(out.get(1), 0, 1);
    Tensor d = fp32(Shape.of(1, 1, 1, 2), 5, 6);
    MaxPool2dGradient gradient = new MaxPool2dGradient(pool.windows(), x.shape());
    assertValues(run(gradient, d, out.get(1)).getFirst(), 5, 0, 0, 6, 0, 0, 0, 0);
  }

  @Test
  void paddingIsNeverTheLargestAndCountsAsZeroInAnAverage() {
    Tensor x = fp32(Shape.of(1, 1, 2, 2), -1, -2, -3, -4);
    Window2d window = Window2d.square(2, 2, 1);
    assertValues(run(new MaxPool2d(window), x).get(0), -1, -2, -3, -4);
    assertValues(run(new MaxPool2d(window), x).get(1), 3, 2, 1, 0);
    assertValues(run(new AvgPool2d(window), x).getFirst(), -0.25, -0.5, -0.75, -1);
  }

  @Test
  void batchNormUsesTheBiasedVarianceOfEachChannel() {
    Tensor x = fp32(Shape.of(2, 2, 1), 1, 10, 3, 10);
    List<Tensor> out = run(new BatchNorm(3), x, row(2, 5), row(0.5, 7));
    assertValues(out.get(0), -0.5, 7, 1.5, 7);
    assertValues(out.get(1), 2, 10);
    assertValues(out.get(2), 1, 0);
    assertValues(run(new RunningAverage(0.75, 2), row(4), row(1)).getFirst(), 3.5);
  }

  @Test
  void sumAndRepeatAreEachOthersGradient() {
    Tensor x = fp32(Shape.of(2, 3, 2), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    assertValues(run(new Sum(List.of(0, 2), false), x).getFirst(), 18, 26, 34);
    assertValues(run(new Sum(List.of(0, 1, 2), false), x).getFirst(), 78);
    Repeat repeat = new Repeat(Shape.of(2, 3, 2), List.of(0, 2));
    assertValues(run(repeat, row(1, 2, 3)).getFirst(), 1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3);
  }

  @Test
  void losses() {
    Tensor logits = fp32(Shape.of(2, 2), 1000, 1000, 0, -2000);
    Tensor labels = Tensor.of(scope, TensorSpec.of(INT64, 2), 1, 0);
    assertValues(
        run(new SoftmaxCrossEntropy(), logits, labels).getFirst(), (float) (Math.log(2) / 2));
    assertValues(run(new MeanSquaredError(), row(1, 2), row(0, 4)).getFirst(), 2.5);
  }

  @Test
  void aLabelOutOfRangeIsNamedWithItsRow() {
    Tensor logits = fp32(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    Tensor labels = Tensor.of(scope, TensorSpec.of(INT64, 2), 0, 3);
    DataException e =
        assertThrows(DataException.class, () -> run(new SoftmaxCrossEntropy(), logits, labels));
    assertEquals("SoftmaxCrossEntropy", e.problem().subject());
    assertEquals("/here", e.problem().where());
    assertEquals("labels from 0 to 2 (3 classes)", e.problem().expected());
    assertEquals("label 3 in row 1", e.problem().got());
  }

  @Test
  void castsRoundToNearestEven() {
    Tensor x = row(1 + 0x1p-11, 1 + 0x3p-11, 65520, NAN);
    assertValues(run(new Cast(FP16), x).getFirst(), 1, 1 + 0x1p-9, INF, NAN);
    assertValues(run(new Cast(BF16), row(1 + 0x1p-8, 1 + 0x3p-8)).getFirst(), 1, 1 + 0x1p-6);
  }

  @Test
  void aCastSaysWhatBecomesOfWhatIsTooLarge() {
    Tensor x = row(65519, 65520, -1e6, -INF, NAN);
    assertValues(run(new Cast(FP16), x).getFirst(), 65504, INF, -INF, -INF, NAN);
    assertValues(run(new Cast(FP16, CastOverflow.NAN), x).getFirst(), 65504, NAN, NAN, -INF, NAN);
    assertValues(
        run(new Cast(FP16, CastOverflow.SATURATE), x).getFirst(), 65504, 65504, -65504, -INF, NAN);
    double most = BF16.largest();
    assertValues(run(new Cast(BF16, CastOverflow.SATURATE), row(0x1.FFp127)).getFirst(), most);
    assertValues(run(new Cast(BF16, CastOverflow.NAN), row(0x1.FEFFFEp127)).getFirst(), most);
  }

  @Test
  void theGradientCheckFindsWhatIsNotFinite() {
    Tensor loss = scalar(FP32, 1);
    List<Tensor> clean = run(new GradientCheck(), loss, row(3), row(0, 4));
    assertEquals(BOOL, clean.getFirst().dtype());
    assertValues(clean.get(0), 1);
    assertValues(clean.get(1), 5);
    assertValues(run(new GradientCheck(), loss, row(3), row(NAN, 4)).getFirst(), 0);
    assertValues(run(new GradientCheck(), loss, row(INF), row(1)).getFirst(), 0);
    assertValues(run(new GradientCheck(), scalar(FP32, NAN), row(1)).getFirst(), 0);
  }

  @Test
  void unscalingTakesTheReciprocalInDouble() {
    assertValues(run(new Unscale(), row(1024, -1), scalar(FP32, 1024)).getFirst(), 1, -0x1p-10);
    double subnormalInFloat = 0x1p127; // its reciprocal is no normal float
    assertValues(
        run(new Unscale(), row(0x1.8p127), scalar(FP32, subnormalInFloat)).getFirst(), 1.5);
  }

  @Test
  void theScaleFollowsItsRule() {
    ScaleUpdate update = new ScaleUpdate(LossScale.dynamic());
    Tensor scale = scalar(FP32, 1024);
    Tensor clean = scalar(INT64, 1999);
    List<Tensor> grown = run(update, scale, clean, scalar(BOOL, 1));
    List<Tensor> halved = run(update, scale, clean, scalar(BOOL, 0));
    assertEquals(List.of(2048.0, 0.0), grown.stream().map(Tensor::item).toList());
    assertEquals(List.of(512.0, 0.0), halved.stream().map(Tensor::item).toList());
  }

  @Test
  void dropoutDependsOnTheSampleAndNotOnItsPlaceInTheBatch() {
    RandomKey key = new RandomKey(7, new CellPath("/dropout"), 0);
    Dropout dropout = new Dropout(0.5, key);
    double[] ones = new double[64];
    Arrays.fill(ones, 1);
    Tensor x = fp32(Shape.of(2, 32), ones);
    double[] y =
        run(dropout, x, Tensor.of(scope, TensorSpec.of(INT64, 2), 5, 9)).getFirst().toArray();
    double[] swapped =
        run(dropout, x, Tensor.of(scope, TensorSpec.of(INT64, 2), 9, 5)).getFirst().toArray();
    for (int i = 0; i < 32; i++) {
      boolean dropped = RandomKey.uniform(key.stream(), 5, i) < 0.5;
      assertEquals(dropped ? 0 : 2, y[i]);
      assertEquals(y[i], swapped[32 + i]);
    }
    assertTrue(Arrays.stream(y).anyMatch(v -> v == 0));
  }

  @Test
  void momentumMovesTheParameterByTheRoundedVelocity() {
    Tensor third = row(1.0 / 3);
    List<Tensor> out =
        run(new MomentumRule(0.9, false, 0), row(1), third, row(0.1), scalar(FP32, 1));
    double velocity = (float) (0.9 * (float) (1.0 / 3) + (float) 0.1);
    assertValues(out.get(1), velocity);
    assertValues(out.get(0), (float) (1 - velocity));
  }
}
