package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.wide;

import dev.halfcell.op.normalization.GroupNorm;
import dev.halfcell.op.normalization.GroupNormGradient;
import dev.halfcell.op.normalization.LayerNorm;
import dev.halfcell.op.normalization.LayerNormGradient;
import dev.halfcell.op.normalization.RmsNorm;
import dev.halfcell.op.normalization.RmsNormGradient;
import dev.halfcell.tensor.Shape;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cases of normalisation within each sample. */
final class GroupwiseCases {
  private static final double EPSILON = 1e-3;

  private GroupwiseCases() {}

  static Stream<OpCase> draw(Generator g) {
    return Stream.concat(trailing(g), grouped(g));
  }

  private static Stream<OpCase> trailing(Generator g) {
    Shape leading = g.shape(g.integer(0, 2));
    Shape features = g.flag() ? g.shape(1) : Shape.of(g.integer(1, 4), g.integer(1, 7));
    Argument x = data(joined(leading, features), Fill.normals());
    Argument scale = wide(features, Fill.positives());
    Argument shift = wide(features, Fill.normals());
    Argument mean = wide(leading, Fill.normals());
    Argument rstd = wide(leading, Fill.positives());
    int summed = (int) Math.max(leading.size(), features.size());
    return Stream.of(
            OpCase.of(new LayerNorm(EPSILON), x, scale, shift).differentiable(3),
            OpCase.of(new LayerNormGradient(), x, x, scale, mean, rstd),
            OpCase.of(new RmsNorm(EPSILON), x, scale).differentiable(2),
            OpCase.of(new RmsNormGradient(), x, x, scale, rstd))
        .map(each -> each.summing(summed));
  }

  private static Stream<OpCase> grouped(Generator g) {
    int groups = g.integer(1, 5);
    int batch = g.size();
    int channels = groups * g.integer(1, 5);
    Shape shape =
        g.flag()
            ? Shape.of(batch, channels)
            : Shape.of(batch, channels, g.integer(1, 7), g.integer(1, 7));
    Argument x = data(shape, Fill.normals());
    Argument scale = wide(Shape.of(channels), Fill.positives());
    Argument shift = wide(Shape.of(channels), Fill.normals());
    Argument mean = wide(Shape.of(batch, groups), Fill.normals());
    Argument rstd = wide(Shape.of(batch, groups), Fill.positives());
    int summed = (int) (shape.size() / channels);
    return Stream.of(
            OpCase.of(new GroupNorm(groups, EPSILON), x, scale, shift).differentiable(3),
            OpCase.of(new GroupNormGradient(groups), x, x, scale, mean, rstd))
        .map(each -> each.summing(summed));
  }

  private static Shape joined(Shape first, Shape second) {
    return Shape.of(
        IntStream.concat(IntStream.of(first.toArray()), IntStream.of(second.toArray())).toArray());
  }
}
