package dev.halfcell.gpu;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;
import static dev.halfcell.testkit.Argument.wide;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.attention.ScaledDotProductAttentionGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.GroupNorm;
import dev.halfcell.op.normalization.GroupNormGradient;
import dev.halfcell.op.normalization.LayerNorm;
import dev.halfcell.op.normalization.LayerNormGradient;
import dev.halfcell.op.reduction.Extreme;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.op.reduction.LogSoftmaxGradient;
import dev.halfcell.op.reduction.LogSumExp;
import dev.halfcell.op.reduction.Mean;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.SoftmaxGradient;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.testkit.Argument;
import dev.halfcell.testkit.Fill;
import dev.halfcell.testkit.Generator;
import dev.halfcell.testkit.OpCase;
import dev.halfcell.testkit.Tolerance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Shapes that are too large for the contract of ops, and that kernels share out in other ways: by
 * parts, by threads in place of blocks, by several tiles.
 */
@Tag("either")
final class LargeShapesTest {
  private static final double EPSILON = 1e-3;
  private static final List<Integer> FIRST = List.of(0);
  private static final List<Integer> LAST = List.of(1);

  private Backend open() {
    return TestedGpu.open();
  }

  @TestFactory
  Stream<DynamicTest> resultsAreThoseOfTheReference() {
    return Stream.of(reductions(), softmaxes(), normalizations(), attentions())
        .flatMap(cases -> cases)
        .flatMap(
            each ->
                Stream.of(DType.FP32, DType.BF16)
                    .map(
                        dtype ->
                            DynamicTest.dynamicTest(
                                each.op() + " of " + each.specs(dtype), () -> check(each, dtype))));
  }

  private void check(OpCase each, DType dtype) {
    try (Backend gpu = open();
        Backend reference = new ReferenceBackend();
        TensorScope scope = TensorScope.guarded()) {
      List<Tensor> in = each.tensors(scope, dtype, new Generator(7));
      List<Tensor> want = reference.eager(scope).execute(each.op(), in, OpCase.PATH);
      List<Tensor> got = gpu.eager(scope).execute(each.op(), in, OpCase.PATH);
      List<Tensor> again = gpu.eager(scope).execute(each.op(), in, OpCase.PATH);
      for (int i = 0; i < want.size(); i++) {
        Tensor result = got.get(i);
        assertTrue(result.sameBits(again.get(i)), "output " + i + " of a second run");
        Tolerance tolerance =
            each.exact()
                ? Tolerance.none(result.dtype())
                : Tolerance.of(result.dtype(), each.summed());
        for (int at = 0; at < result.spec().size(); at++) {
          double right = want.get(i).at(at);
          double value = result.at(at);
          String what = "output " + i + ", element " + at + ": " + right + ", got " + value;
          assertTrue(tolerance.allows(right, value), what);
        }
      }
    }
  }

  /** In parts by blocks, and by threads with results side by side. */
  private static Stream<OpCase> reductions() {
    Argument many = data(Shape.of(3, 20000), Fill.normals());
    Argument wideRows = data(Shape.of(700, 24), Fill.normals());
    Argument repeated = data(Shape.of(3, 20000), Fill.integers());
    Argument repeatedRows = data(Shape.of(700, 24), Fill.integers());
    return Stream.of(
        OpCase.of(new Sum(LAST, true), many).summing(20000),
        OpCase.of(new Sum(List.of(0, 1), false), many).summing(60000),
        OpCase.of(new Mean(LAST), many).summing(20000),
        OpCase.of(new LogSumExp(LAST), many).summing(20000),
        OpCase.of(new Sum(FIRST, true), wideRows).summing(700),
        OpCase.of(new Mean(FIRST), wideRows).summing(700),
        OpCase.of(new LogSumExp(FIRST), wideRows).summing(700),
        OpCase.of(new Extreme(LAST, true), repeated).exactly(),
        OpCase.of(new Extreme(FIRST, false), repeatedRows).exactly());
  }

  /** By blocks of several warps, and by threads. */
  private static Stream<OpCase> softmaxes() {
    return Stream.of(Shape.of(3, 2000), Shape.of(2, 20, 2100))
        .flatMap(
            shape -> {
              Argument x = data(shape, Fill.normals());
              Argument d = data(shape, Fill.normals());
              return Stream.of(
                  OpCase.of(new Softmax(1), x),
                  OpCase.of(new LogSoftmax(1), x),
                  OpCase.of(new SoftmaxGradient(1), d, x).summing(2000),
                  OpCase.of(new LogSoftmaxGradient(1), d, x).summing(2000));
            });
  }

  private static Stream<OpCase> normalizations() {
    return Stream.concat(
        Stream.of(Shape.of(700, 24), Shape.of(3, 2, 90, 90)).flatMap(LargeShapesTest::normalized),
        Stream.of(grouped(Shape.of(2, 4, 50, 50), 2), layers(700, 24), layers(3, 3000))
            .flatMap(cases -> cases));
  }

  private static Stream<OpCase> normalized(Shape shape) {
    Shape channels = Shape.of(shape.dim(1));
    Argument x = data(shape, Fill.normals().map(v -> 3 + v));
    Argument scale = wide(channels, Fill.positives());
    Argument shift = wide(channels, Fill.normals());
    return Stream.of(
            OpCase.of(new BatchNorm(EPSILON, false), x, scale, shift),
            OpCase.of(new BatchNorm(EPSILON, true), x, scale, shift),
            OpCase.of(new BatchNormGradient(EPSILON), x, x, scale, shift, scale))
        .map(each -> each.summing((int) shape.size() / shape.dim(1)));
  }

  private static Stream<OpCase> grouped(Shape shape, int groups) {
    Argument x = data(shape, Fill.normals());
    Shape channels = Shape.of(shape.dim(1));
    Shape each = Shape.of(shape.dim(0), groups);
    Argument scale = wide(channels, Fill.positives());
    Argument shift = wide(channels, Fill.normals());
    Argument mean = wide(each, Fill.normals());
    Argument rstd = wide(each, Fill.positives());
    return Stream.of(
            OpCase.of(new GroupNorm(groups, EPSILON), x, scale, shift),
            OpCase.of(new GroupNormGradient(groups), x, x, scale, mean, rstd))
        .map(one -> one.summing((int) shape.size() / shape.dim(1)));
  }

  private static Stream<OpCase> layers(int rows, int length) {
    Argument x = data(Shape.of(rows, length), Fill.normals());
    Argument scale = wide(Shape.of(length), Fill.positives());
    Argument shift = wide(Shape.of(length), Fill.normals());
    Argument mean = wide(Shape.of(rows), Fill.normals());
    Argument rstd = wide(Shape.of(rows), Fill.positives());
    return Stream.of(
            OpCase.of(new LayerNorm(EPSILON), x, scale, shift),
            OpCase.of(new LayerNormGradient(), x, x, scale, mean, rstd))
        .map(each -> each.summing(Math.max(rows, length)));
  }

  /** Several tiles along each axis; the features are fewer than the values' columns, and more. */
  private static Stream<OpCase> attentions() {
    return Stream.of(attention(70, 45, 40, 150, false), attention(45, 70, 140, 20, true))
        .flatMap(cases -> cases);
  }

  private static Stream<OpCase> attention(
      int queries, int keys, int features, int width, boolean causal) {
    Shape heads = Shape.of(2, 2);
    List<Argument> in =
        List.of(
            data(heads.then(queries, width), Fill.normals()),
            data(heads.then(queries, features), Fill.normals()),
            data(heads.then(keys, features), Fill.normals()),
            data(heads.then(keys, width), Fill.normals()),
            wide(heads.then(queries), Fill.positives().map(v -> v + 3)),
            fixed(DType.BOOL, Shape.of(2, 1, queries, keys), Fill.labels(2)));
    ScaledDotProductAttention op = ScaledDotProductAttention.of(features, causal);
    List<Argument> forward = new ArrayList<>(in.subList(1, 4));
    forward.add(in.get(5));
    ScaledDotProductAttentionGradient gradient =
        new ScaledDotProductAttentionGradient(causal, op.scale(), true, false, true);
    return Stream.of(
        new OpCase(op, forward, false, 0, keys * features),
        new OpCase(op, forward.subList(0, 3), false, 0, keys * features),
        new OpCase(gradient, in, false, 0, queries * keys),
        new OpCase(gradient, in.subList(0, 5), false, 0, queries * keys));
  }

  /** A NaN goes before all, and of two the first counts, in whichever part they are. */
  @Test
  void theFirstNaNOfManyPartsIsTheExtreme() {
    try (Backend gpu = open();
        TensorScope scope = TensorScope.open()) {
      double[] values = new double[20000];
      values[17] = 5;
      values[9001] = Double.NaN;
      values[15000] = Double.NaN;
      Tensor x = Tensor.of(scope, data(Shape.of(20000), Fill.normals()).spec(DType.FP32), values);
      List<Tensor> got =
          gpu.eager(scope).execute(new Extreme(FIRST, false), List.of(x), OpCase.PATH);
      assertTrue(Double.isNaN(got.get(0).at(0)));
      assertEquals(9001, got.get(1).at(0));
    }
  }

  /** Where the mean is 10⁴ times the deviation, its rounding to FP32 must not show. */
  @Test
  void aChannelFarFromZeroIsNormalisedAsOneThatIsNot() {
    try (Backend gpu = open();
        TensorScope scope = TensorScope.open()) {
      double[] values = new double[64];
      for (int i = 0; i < values.length; i++) {
        values[i] = 10000.4375 + i % 8 / 8.0;
      }
      Tensor x = Tensor.of(scope, data(Shape.of(64, 1), Fill.normals()).spec(DType.FP32), values);
      Tensor one = Tensor.of(scope, wide(Shape.of(1), Fill.normals()).spec(DType.FP32), 1);
      Tensor zero = Tensor.of(scope, wide(Shape.of(1), Fill.normals()).spec(DType.FP32), 0);
      List<Tensor> in = List.of(x, one, zero);
      List<Tensor> got = gpu.eager(scope).execute(new BatchNorm(1e-9), in, OpCase.PATH);
      double deviation = Math.sqrt(21.0 / 4) / 8;
      for (int i = 0; i < 8; i++) {
        assertEquals((i - 3.5) / 8 / deviation, got.getFirst().at(i), 1e-6);
      }
    }
  }
}
