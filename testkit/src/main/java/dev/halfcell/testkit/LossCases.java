package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;
import static dev.halfcell.testkit.Argument.wide;

import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.ElementLossGradient;
import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SmoothL1;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

final class LossCases {
  private LossCases() {}

  static Stream<OpCase> draw(Generator g) {
    return Stream.of(elements(g), crossEntropy(g), alignments(g)).flatMap(cases -> cases);
  }

  private static Stream<OpCase> elements(Generator g) {
    Shape shape = g.shape(g.integer(1, 4));
    return Arrays.stream(LossReduction.values()).flatMap(reduction -> elements(shape, reduction));
  }

  private static Stream<OpCase> elements(Shape shape, LossReduction reduction) {
    Argument x = data(shape, Fill.normals());
    Argument truth = data(shape, Fill.labels(2));
    // No distance is near 0 or beta, where a slope jumps.
    Argument apart = data(shape, Fill.awayFromZero().map(v -> v + 5 * Math.signum(v)));
    Argument d = wide(reduction.of(shape), Fill.normals());
    List<ElementLoss> all =
        List.of(
            new MeanSquaredError(reduction),
            new L1(reduction),
            new SmoothL1(0.75, reduction),
            new BceWithLogits(reduction));
    return Stream.concat(
        all.stream()
            .flatMap(
                loss ->
                    Stream.of(
                        OpCase.of(loss, x, x), OpCase.of(new ElementLossGradient(loss), x, x, d))),
        Stream.of(
            OpCase.of(new MeanSquaredError(reduction), x, x).differentiable(2),
            OpCase.of(new L1(reduction), apart, x).differentiable(2),
            OpCase.of(new SmoothL1(0.5, reduction), apart, x).differentiable(2),
            OpCase.of(new SmoothL1(40, reduction), x, x).differentiable(2),
            OpCase.of(new BceWithLogits(reduction), x, truth).differentiable(1),
            OpCase.of(
                new BceWithLogits(reduction),
                data(shape, Fill.normals().map(v -> v * 1000)),
                truth)));
  }

  private static Stream<OpCase> crossEntropy(Generator g) {
    int rows = g.size();
    int classes = g.size();
    Argument logits = data(Shape.of(rows, classes), Fill.normals());
    Argument labels = fixed(DType.INT64, Shape.of(rows), Fill.labels(classes));
    Argument narrowLabels = fixed(DType.INT32, Shape.of(rows), Fill.labels(classes));
    Argument padded = fixed(DType.INT64, Shape.of(rows), Fill.labels(classes + 1).map(v -> v - 1));
    // logits whose exponentials overflow
    Argument huge = data(Shape.of(rows, classes), Fill.normals().map(v -> v * 1000));
    Argument d = wide(Shape.SCALAR, Fill.normals());
    Targets smooth = new Targets(0.1, OptionalLong.empty());
    Targets some = new Targets(0, OptionalLong.of(-1));
    Targets both = new Targets(0.25, OptionalLong.of(-1));
    Targets none = new Targets(0, OptionalLong.of(classes - 1));
    SoftmaxCrossEntropy sum = new SoftmaxCrossEntropy(both, LossReduction.SUM);
    SoftmaxCrossEntropy each = new SoftmaxCrossEntropy(both, LossReduction.NONE);
    Argument last = fixed(DType.INT64, Shape.of(rows), Fill.constant(classes - 1));
    return Stream.of(
        OpCase.of(new SoftmaxCrossEntropy(), logits, labels).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropy(), logits, narrowLabels).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropy(smooth), logits, labels).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropy(some), logits, padded).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropy(both), logits, padded).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropy(none), logits, last).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropy(), huge, labels),
        OpCase.of(new SoftmaxCrossEntropy(smooth), huge, labels),
        OpCase.of(new SoftmaxCrossEntropyGradient(new SoftmaxCrossEntropy()), logits, labels, d),
        OpCase.of(
            new SoftmaxCrossEntropyGradient(new SoftmaxCrossEntropy(both)), logits, padded, d),
        OpCase.of(new SoftmaxCrossEntropyGradient(new SoftmaxCrossEntropy()), huge, labels, d),
        OpCase.of(sum, logits, padded).differentiable(1),
        OpCase.of(each, logits, padded).differentiable(1),
        OpCase.of(new SoftmaxCrossEntropyGradient(sum), logits, padded, d),
        OpCase.of(
            new SoftmaxCrossEntropyGradient(each),
            logits,
            padded,
            wide(Shape.of(rows), Fill.normals())));
  }

  private static Stream<OpCase> alignments(Generator g) {
    int batch = g.integer(1, 5);
    int longest = g.integer(1, 4);
    int enough = 2 * longest + 1;
    int frames = enough + g.integer(0, 5);
    int classes = g.integer(2, 7);
    Shape shape = Shape.of(frames, batch, classes);
    Argument logits = data(shape, Fill.normals());
    Argument huge = data(shape, Fill.normals().map(v -> v * 1000));
    Shape each = Shape.of(batch);
    Argument labels =
        fixed(DType.INT64, Shape.of(batch, longest), Fill.labels(classes - 1).map(v -> v + 1));
    Argument belowLast = fixed(DType.INT32, Shape.of(batch, longest), Fill.labels(classes - 1));
    Argument lengths =
        fixed(DType.INT32, each, Fill.labels(frames - enough + 1).map(v -> v + enough));
    Argument short0 = fixed(DType.INT64, each, Fill.labels(3).map(v -> v + 1));
    Argument counts = fixed(DType.INT32, each, Fill.labels(longest + 1));
    Argument all = fixed(DType.INT64, each, Fill.constant(longest));
    LossReduction mean = LossReduction.MEAN;
    return Stream.of(
        OpCase.of(new CtcLoss(0, mean, false), logits, labels, lengths, counts).differentiable(1),
        OpCase.of(new CtcLoss(classes - 1, mean, true), logits, belowLast, lengths, all)
            .differentiable(1),
        OpCase.of(new CtcLoss(0, LossReduction.SUM, false), logits, labels, lengths, counts)
            .differentiable(1),
        OpCase.of(new CtcLoss(0, LossReduction.NONE, true), logits, labels, lengths, counts)
            .differentiable(1),
        OpCase.of(new CtcLoss(0, mean, false), logits, labels, short0, all),
        OpCase.of(new CtcLoss(0, LossReduction.NONE, false), logits, labels, short0, all),
        OpCase.of(new CtcLoss(0, mean, true), logits, labels, short0, counts),
        OpCase.of(new CtcLoss(0, mean, false), huge, labels, lengths, counts));
  }
}
