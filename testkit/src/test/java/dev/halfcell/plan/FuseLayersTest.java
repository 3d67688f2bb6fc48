package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.op.Ops;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FuseLayersTest {
  private static final Conv2dGeometry GEOMETRY = Conv2dGeometry.square(1, 1);
  private static final Window2d WINDOW = Window2d.square(2, 2, 0);

  private final Sketch sketch = new Sketch();

  @AfterEach
  void close() {
    sketch.close();
  }

  private Tensor image() {
    return sketch.input(DType.FP32, 2, 3, 4, 4);
  }

  private Tensor convolution(Tensor x) {
    return sketch.ops.conv2d(GEOMETRY, x, sketch.input(DType.FP32, 5, 3, 3, 3));
  }

  private static List<String> fused(Program program) {
    return Sketch.labels(Fusion.fuse(program));
  }

  @Test
  void reluJoinsTheConvolutionThatOnlyItReads() {
    assertEquals(
        List.of("ConvolutionRelu"), fused(sketch.results(sketch.ops.relu(convolution(image())))));
  }

  @Test
  void reluLeavesAConvolutionThatIsReadElsewhere() {
    Tensor y = convolution(image());
    assertEquals(
        List.of("Conv2d", "Relu", "Add"),
        fused(sketch.results(sketch.ops.add(sketch.ops.relu(y), y))));
  }

  @Test
  void reluLeavesAConvolutionThatIsAResult() {
    Tensor y = convolution(image());
    assertEquals(List.of("Conv2d", "Relu"), fused(sketch.results(sketch.ops.relu(y), y)));
  }

  @Test
  void reluJoinsTheDenseLayerThatOnlyItReads() {
    Tensor y = sketch.ops.dense(sketch.input(DType.BF16, 2, 3), sketch.input(DType.BF16, 4, 3));
    assertEquals(List.of("DenseRelu"), fused(sketch.results(sketch.ops.relu(y))));
  }

  @Test
  void reluGoesWithThePoolingRatherThanTheConvolution() {
    Tensor y = sketch.ops.relu(convolution(image()));
    assertEquals(
        List.of("Conv2d", "ReluMaxPool"), fused(sketch.results(sketch.ops.maxPool2d(WINDOW, y))));
  }

  @Test
  void reluThatIsReadElsewhereStaysOutOfThePooling() {
    Tensor y = sketch.ops.relu(image());
    Tensor pooled = sketch.ops.maxPool2d(WINDOW, y);
    assertEquals(List.of("Relu", "MaxPool2d"), fused(sketch.results(pooled, y)));
  }

  @Test
  void gradientsOfAConvolutionsParametersAreOneTask() {
    Tensor x = image();
    Tensor d = sketch.input(DType.FP32, 2, 5, 4, 4);
    Shape weight = Shape.of(5, 3, 3, 3);
    Tensor byBias = sketch.ops.sumAllBut(d, 1, true);
    Tensor byWeight = sketch.ops.run(new Conv2dWeightGradient(GEOMETRY, weight, true), d, x);
    Program program = Fusion.fuse(sketch.results(byBias, byWeight));
    assertEquals(List.of("ConvolutionParameterGradients"), Sketch.labels(program));
    assertEquals(program.outcome().results().reversed(), program.tasks().getFirst().out());
  }

  @Test
  void aBiasThatTheInputDependsOnStaysApart() {
    Tensor d = sketch.input(DType.FP32, 2, 3);
    Tensor byBias = sketch.ops.sum(d, true, 0);
    Tensor x = sketch.ops.add(sketch.input(DType.FP32, 2, 3), byBias);
    Tensor byWeight = sketch.ops.run(new MatMul(true, false, true), d, x);
    assertEquals(List.of("Sum", "Add", "MatMul"), fused(sketch.results(byBias, byWeight)));
  }

  @Test
  void sumsOverOtherAxesOrOfOtherGradientsStayApart() {
    Tensor d = sketch.input(DType.FP32, 2, 3);
    Tensor x = sketch.input(DType.FP32, 2, 3);
    Tensor byWeight = sketch.ops.run(new MatMul(true, false, true), d, x);
    Tensor rows = sketch.ops.sum(d, true, 1);
    Tensor other = sketch.ops.sum(x, true, 0);
    assertEquals(List.of("MatMul", "Sum", "Sum"), fused(sketch.results(byWeight, rows, other)));
  }

  @Test
  void oneSumGoesWithOneProductOnly() {
    Tensor d = sketch.input(DType.FP32, 2, 3);
    MatMul product = new MatMul(true, false, true);
    Tensor first = sketch.ops.run(product, d, sketch.input(DType.FP32, 2, 4));
    Tensor second = sketch.ops.run(product, d, sketch.input(DType.FP32, 2, 5));
    assertEquals(
        List.of("DenseParameterGradients", "MatMul"),
        fused(sketch.results(first, second, sketch.ops.sum(d, true, 0))));
  }

  @Test
  void gradientsOfADenseLayersParametersAreOneTask() {
    Tensor d = sketch.input(DType.FP16, 2, 3);
    Tensor byWeight =
        sketch.ops.run(new MatMul(true, false, true), d, sketch.input(DType.FP16, 2, 4));
    Program program = Fusion.fuse(sketch.results(byWeight, sketch.ops.sum(d, false, 0)));
    assertEquals(new Work.DenseParameterGradients(true, false), program.tasks().getFirst().work());
  }

  @Test
  void gradientsOfADenseLayerOverSequencesAreOneTask() {
    Tensor x = sketch.input(DType.FP16, 2, 3, 4);
    Tensor weight = sketch.input(DType.FP16, 5, 4);
    Tensor bias = sketch.input(DType.FP16, 5);
    Tape tape = new Tape(sketch.ops.executor());
    List.of(weight, bias).forEach(tape::watch);
    Tensor y = new Ops(tape, sketch.ops.at()).dense(x, weight, bias);
    Map<Tensor, Tensor> gradients = tape.gradients(y, sketch.input(DType.FP16, 2, 3, 5));
    Program program = Fusion.fuse(sketch.results(of(gradients, weight), of(gradients, bias)));
    assertTrue(Sketch.labels(program).contains("DenseParameterGradients"), program.toString());
  }

  private static Tensor of(Map<Tensor, Tensor> gradients, Tensor x) {
    return Objects.requireNonNull(gradients.get(x));
  }

  @Test
  void manyProductsAndASumStayApart() {
    Tensor d = sketch.input(DType.FP32, 2, 3, 4);
    Tensor x = sketch.input(DType.FP32, 2, 3, 5);
    Tensor products = sketch.ops.run(new MatMul(true, false, true), d, x);
    assertEquals(
        List.of("MatMul", "Sum"), fused(sketch.results(products, sketch.ops.sum(d, true, 0, 2))));
  }

  @Test
  void crossEntropyAndItsGradientAreOneTaskWhereTheSeedIsKnown() {
    Tensor logits = sketch.input(DType.FP32, 2, 3);
    Tensor labels = sketch.input(DType.INT32, 2);
    Tensor loss = sketch.ops.softmaxCrossEntropy(logits, labels);
    Tensor known = sketch.input(DType.FP32);
    SoftmaxCrossEntropyGradient gradient =
        new SoftmaxCrossEntropyGradient(new SoftmaxCrossEntropy());
    Tensor d = sketch.ops.run(gradient, logits, labels, known);
    assertEquals(List.of("SoftmaxCrossEntropyWithGradient"), fused(sketch.results(loss, d)));
    Tensor late = sketch.ops.run(gradient, logits, labels, loss);
    assertEquals(
        List.of("SoftmaxCrossEntropy", "SoftmaxCrossEntropyGradient"),
        fused(sketch.results(loss, late)));
  }

  @Test
  void aGradientForOtherLabelsStaysApart() {
    Tensor logits = sketch.input(DType.FP32, 2, 3);
    Tensor loss = sketch.ops.softmaxCrossEntropy(logits, sketch.input(DType.INT32, 2));
    Tensor others = sketch.input(DType.INT32, 2);
    Tensor d = sketch.input(DType.FP32);
    Tensor other =
        sketch.ops.run(
            new SoftmaxCrossEntropyGradient(new SoftmaxCrossEntropy()), logits, others, d);
    assertEquals(
        List.of("SoftmaxCrossEntropy", "SoftmaxCrossEntropyGradient"),
        fused(sketch.results(loss, other)));
  }

  @Test
  void aSmoothedCrossEntropyIsFusedWithItsOwnGradientOnly() {
    Tensor logits = sketch.input(DType.FP32, 2, 3);
    Tensor labels = sketch.input(DType.INT32, 2);
    Tensor d = sketch.input(DType.FP32);
    Targets smooth = new Targets(0.1, OptionalLong.empty());
    Tensor loss = sketch.ops.run(new SoftmaxCrossEntropy(smooth), logits, labels);
    Tensor plain =
        sketch.ops.run(
            new SoftmaxCrossEntropyGradient(new SoftmaxCrossEntropy()), logits, labels, d);
    Tensor own =
        sketch.ops.run(
            new SoftmaxCrossEntropyGradient(new SoftmaxCrossEntropy(smooth)), logits, labels, d);
    assertEquals(
        List.of("SoftmaxCrossEntropyWithGradient", "SoftmaxCrossEntropyGradient"),
        fused(sketch.results(loss, plain, own)));
  }

  @Test
  void aNormalisationBetweenCastsWorksOnHalf() {
    Tensor x = sketch.input(DType.BF16, 2, 3);
    Tensor gamma = sketch.input(DType.FP32, 3);
    List<Tensor> out =
        sketch.ops.runAll(new BatchNorm(1e-5), sketch.ops.cast(x, DType.FP32), gamma, gamma);
    Tensor half = sketch.ops.cast(out.getFirst(), DType.BF16);
    Program program = Fusion.fuse(sketch.results(half, out.get(1)));
    assertEquals(List.of("BatchNorm"), Sketch.labels(program));
    assertEquals(program.outcome().results(), program.tasks().getFirst().out().subList(0, 2));
  }

  @Test
  void aNormalisationThatIsAlsoReadInFp32StaysThere() {
    Tensor x = sketch.input(DType.BF16, 2, 3);
    Tensor gamma = sketch.input(DType.FP32, 3);
    Tensor y = sketch.ops.run(new BatchNorm(1e-5), sketch.ops.cast(x, DType.FP32), gamma, gamma);
    Tensor half = sketch.ops.cast(y, DType.BF16);
    assertEquals(List.of("Cast", "BatchNorm", "Cast"), fused(sketch.results(half, y)));
    Tensor other = sketch.ops.cast(y, DType.FP16);
    assertEquals(List.of("Cast", "BatchNorm", "Cast"), fused(sketch.results(other)));
  }

  @Test
  void aNormalisationWhoseCastSaturatesIsNotFusedWithIt() {
    Tensor x = sketch.input(DType.FP16, 2, 3);
    Tensor gamma = sketch.input(DType.FP32, 3);
    Tensor y = sketch.ops.run(new BatchNorm(1e-5), sketch.ops.cast(x, DType.FP32), gamma, gamma);
    Tensor half = sketch.ops.run(new Cast(DType.FP16, CastOverflow.SATURATE), y);
    assertEquals(List.of("Cast", "BatchNorm", "Cast"), fused(sketch.results(half)));
  }

  @Test
  void inPlaceIsForWorkThatGoesPlaceByPlace() {
    assertEquals(0, new Work.Single(new Relu()).inPlace().orElse(-1));
    assertEquals(-1, new Work.Single(new MaxPool2d(WINDOW)).inPlace().orElse(-1));
  }
}
