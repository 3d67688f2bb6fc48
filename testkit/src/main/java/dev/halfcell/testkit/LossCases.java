package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;
import static dev.halfcell.testkit.Argument.wide;

import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.MeanSquaredErrorGradient;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

final class LossCases {
  private LossCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape shape = g.shape(g.integer(1, 4));
    Argument x = data(shape, Fill.normals());
    Argument d = wide(Shape.SCALAR, Fill.normals());
    int rows = g.size();
    int classes = g.size();
    Argument logits = data(Shape.of(rows, classes), Fill.normals());
    Argument labels = fixed(DType.INT64, Shape.of(rows), Fill.labels(classes));
    Argument narrowLabels = fixed(DType.INT32, Shape.of(rows), Fill.labels(classes));
    // logits whose exponentials overflow
    Argument huge = data(Shape.of(rows, classes), Fill.normals().map(v -> v * 1000));
    return Stream.of(
        OpCase.of(new MeanSquaredError(), x, x).differentiable(2),
        OpCase.of(new MeanSquaredErrorGradient(), x, x, d),
        OpCase.of(new SoftmaxCrossEntropy(), logits, labels).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropy(), logits, narrowLabels).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropy(), huge, labels),
        OpCase.of(new SoftmaxCrossEntropyGradient(), logits, labels, d),
        OpCase.of(new SoftmaxCrossEntropyGradient(), huge, labels, d));
  }
}
