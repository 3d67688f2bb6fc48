package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.Op;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.attention.ScaledDotProductAttentionGradient;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.LstmGradient;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How many products are summed, counted by hand. */
final class MultiplyAddsTest {
  @Test
  void aConvolutionSumsAKernelAtEachPlaceOfItsOutput() {
    Conv2dGeometry geometry = new Conv2dGeometry(2, 1, new Padding2d(1, 0, 1, 1), 1, 1, 2);
    long places = 3 * 6; // (5 + 1 - 2) / 2 + 1 rows, 6 + 2 - 3 + 1 columns
    long weights = 4 * 3 * 2 * 3;
    assertEquals(2 * places * weights, of(new Conv2d(geometry), s(2, 6, 5, 6), s(4, 3, 2, 3)));
  }

  @Test
  void aTransposedConvolutionSpreadsAKernelFromEachPlaceOfItsInput() {
    Op op = new Conv2dTranspose(Conv2dGeometry.square(2, 0), 0, 0);
    long weights = 3 * 4 * 2 * 3;
    assertEquals(2 * 5 * 6 * weights, of(op, s(2, 3, 5, 6), s(3, 4, 2, 3)));
  }

  @Test
  void attentionSumsScoresAndValues() {
    Op op = new ScaledDotProductAttention(false, 1);
    long scores = 2 * 3 * 5 * 7;
    assertEquals(scores * 4 + scores * 6, of(op, s(2, 3, 5, 4), s(2, 3, 7, 4), s(2, 3, 7, 6)));
  }

  @Test
  void aRecurrentLayerSumsBothWeightsAtEachStep() {
    long steps = 5 * 2;
    assertEquals(
        steps * (16 * 3 + 16 * 4),
        of(new Lstm(Pass.FORWARD), s(5, 2, 3), s(16, 3), s(16, 4), s(16), s(16)));
    assertEquals(
        steps * (12 * 3 + 12 * 4),
        of(new Gru(Pass.FORWARD), s(5, 2, 3), s(12, 3), s(12, 4), s(12), s(12)));
  }

  @Test
  void gradientsOfAConvolutionSumWhatItSums() {
    Conv2dGeometry geometry = new Conv2dGeometry(2, 1, new Padding2d(1, 0, 1, 1), 1, 1, 2);
    Shape x = s(2, 6, 5, 6);
    Shape weight = s(4, 3, 2, 3);
    Shape d = s(2, 4, 3, 6);
    long products = of(new Conv2d(geometry), x, weight);
    assertEquals(products, of(new Conv2dInputGradient(geometry, x), d, weight));
    assertEquals(products, of(new Conv2dWeightGradient(geometry, weight, true), d, x));
  }

  @Test
  void theGradientOfAttentionSumsScoresTwiceAndThreeResults() {
    Op op = new ScaledDotProductAttentionGradient(false, 1, false, false, false);
    long scores = 2 * 3 * 5 * 7;
    assertEquals(
        scores * (4 + 6) + scores * (6 + 4 + 4),
        of(op, s(2, 3, 5, 6), s(2, 3, 5, 4), s(2, 3, 7, 4), s(2, 3, 7, 6), s(2, 3, 5)));
  }

  @Test
  void theGradientOfARecurrentLayerSumsByWeightsAndByWhatTheyMultiply() {
    long steps = 5 * 2;
    Shape[] lstm = {s(5, 2, 3), s(16, 3), s(16, 4), s(16), s(16)};
    Shape[] saved = {s(5, 2, 4), s(2, 4), s(2, 4), s(5, 2, 16), s(5, 2, 4)};
    Op op = new LstmGradient(Pass.FORWARD, Collections.nCopies(5, false));
    assertEquals(
        2 * steps * (16 * 3 + 16 * 4),
        of(op, Stream.of(saved, lstm).flatMap(Stream::of).toArray(Shape[]::new)));
  }

  @Test
  void whatSumsNoProductsHasNone() {
    assertEquals(0, of(new Relu(), s(5)));
  }

  private static long of(Op op, Shape... in) {
    List<TensorSpec> specs = Stream.of(in).map(shape -> new TensorSpec(DType.FP32, shape)).toList();
    op.infer(specs, OpCase.PATH);
    return op.multiplyAdds(specs);
  }

  private static Shape s(int... dims) {
    return Shape.of(dims);
  }
}
