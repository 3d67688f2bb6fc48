package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.wide;

import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

final class NormalizationCases {
  private static final double EPSILON = 1e-3;

  private NormalizationCases() {}

  static Stream<OpCase> draw(Generator g) {
    int batch = g.integer(4, 9); // two elements that happen to be close make any error large
    int channels = g.size();
    Shape x =
        g.flag()
            ? Shape.of(batch, channels)
            : Shape.of(batch, channels, g.integer(1, 7), g.integer(1, 7));
    int elements = (int) x.size() / channels;
    Shape perChannel = Shape.of(channels);
    Argument values = data(x, Fill.normals());
    Argument scale = wide(perChannel, Fill.positives());
    Argument shift = wide(perChannel, Fill.normals());
    return Stream.of(
        OpCase.of(new BatchNorm(EPSILON, true), values, scale, shift)
            .differentiable(3)
            .summing(elements),
        OpCase.of(new BatchNorm(EPSILON), values, scale, shift).differentiable(3).summing(elements),
        OpCase.of(new BatchNormGradient(EPSILON), values, values, scale, shift, scale)
            .summing(elements),
        OpCase.of(new Normalize(EPSILON), values, scale, shift, shift, scale)
            .differentiable(3)
            .summing(elements),
        OpCase.of(new RunningAverage(0.9, 1.25), wide(perChannel, Fill.normals()), shift));
  }
}
