package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;

import dev.halfcell.op.elementwise.Abs;
import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Clip;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.CurveGradient;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Gelu;
import dev.halfcell.op.elementwise.HardSwish;
import dev.halfcell.op.elementwise.LeakyRelu;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.Rsqrt;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Silu;
import dev.halfcell.op.elementwise.Sqrt;
import dev.halfcell.op.elementwise.Tanh;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

/** Cases of functions of one number. */
final class CurveCases {
  private CurveCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape x = g.shape(g.integer(1, 4));
    Fill wide = Fill.normals().map(value -> 8 * value);
    return Stream.of(
            Stream.of(
                OpCase.of(new Affine(-1.5, 0.25), data(x, Fill.integers()))
                    .exactly()
                    .differentiable(1),
                OpCase.of(new Affine(0.1, 0), data(x, Fill.normals())).differentiable(1)),
            curve(new Abs(), x, Fill.awayFromZero()),
            curve(new Exp(), x, Fill.normals()),
            curve(new Log(), x, Fill.positives()),
            curve(new Sqrt(), x, Fill.positives()),
            curve(new Rsqrt(), x, Fill.positives()),
            curve(new Pow(2.5), x, Fill.positives()),
            curve(new Pow(-1), x, Fill.awayFromZero()),
            curve(new Pow(3), x, Fill.normals()),
            curve(new Clip(-0.1875, 2.0625), x, Fill.distinct()),
            curve(new LeakyRelu(0.01), x, Fill.awayFromZero()),
            curve(new Sigmoid(), x, wide),
            curve(new Tanh(), x, Fill.normals()),
            curve(new Silu(), x, wide),
            curve(new HardSwish(), x, wide),
            curve(new Gelu(false), x, Fill.normals().map(value -> 3 * value)),
            curve(new Gelu(true), x, Fill.normals().map(value -> 3 * value)))
        .flatMap(cases -> cases);
  }

  private static Stream<OpCase> curve(Curve op, Shape x, Fill fill) {
    return Stream.of(
        OpCase.of(op, data(x, fill)).differentiable(1),
        OpCase.of(new CurveGradient(op), data(x, Fill.normals()), data(x, kept(op, fill))));
  }

  /** What a gradient is computed from: x, or y in its range. */
  private static Fill kept(Curve op, Fill fill) {
    return switch (op.kept()) {
      case INPUT -> fill;
      case OUTPUT -> fill.map(op::value);
    };
  }
}
