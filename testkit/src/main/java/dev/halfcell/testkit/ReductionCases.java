package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.reduction.Extreme;
import dev.halfcell.op.reduction.ExtremeGradient;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.op.reduction.LogSoftmaxGradient;
import dev.halfcell.op.reduction.LogSumExp;
import dev.halfcell.op.reduction.Mean;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.SoftmaxGradient;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cases of reductions over some of the axes, and of softmax over one. */
final class ReductionCases {
  private ReductionCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape x = g.shape(g.integer(1, 4));
    List<Integer> axes = IntStream.range(0, x.rank()).filter(_ -> g.flag()).boxed().toList();
    return Stream.of(
            Stream.of(sum(g, axes, x, true), sum(g, axes, x, false), mean(axes, x)),
            extremes(g, axes, x),
            softmax(x, g.integer(0, x.rank() - 1)),
            Stream.of(
                OpCase.of(new LogSumExp(axes), data(x, Fill.normals()))
                    .differentiable(1)
                    .summing((int) x.size())))
        .flatMap(cases -> cases);
  }

  private static OpCase sum(Generator g, List<Integer> axes, Shape x, boolean exact) {
    return OpCase.of(new Sum(axes, g.flag()), data(x, Fill.exact(exact)))
        .exact(exact)
        .differentiable(1)
        .summing((int) x.size());
  }

  private static OpCase mean(List<Integer> axes, Shape x) {
    return OpCase.of(new Mean(axes), data(x, Fill.normals()))
        .differentiable(1)
        .summing((int) x.size());
  }

  private static Stream<OpCase> extremes(Generator g, List<Integer> axes, Shape x) {
    Shape kept =
        Shape.of(IntStream.range(0, x.rank()).filter(a -> !axes.contains(a)).map(x::dim).toArray());
    int reduced = (int) (x.size() / kept.size());
    boolean largest = g.flag();
    return Stream.of(
        OpCase.of(new Extreme(axes, largest), data(x, Fill.distinct())).differentiable(1),
        OpCase.of(new Extreme(axes, !largest), data(x, Fill.integers())).exactly(),
        OpCase.of(
                new ExtremeGradient(x, axes),
                data(kept, Fill.normals()),
                fixed(DType.INT64, kept, Fill.labels(reduced)))
            .exactly());
  }

  private static Stream<OpCase> softmax(Shape x, int axis) {
    Fill wide = Fill.normals().map(value -> 4 * value);
    Argument d = data(x, Fill.normals());
    int size = x.dim(axis);
    return Stream.of(
        OpCase.of(new Softmax(axis), data(x, wide)).differentiable(1).summing(size),
        OpCase.of(new LogSoftmax(axis), data(x, wide)).differentiable(1).summing(size),
        OpCase.of(new SoftmaxGradient(axis), d, data(x, Fill.normals().map(Math::abs)))
            .summing(size),
        OpCase.of(new LogSoftmaxGradient(axis), d, data(x, Fill.normals().map(v -> -Math.abs(v))))
            .summing(size));
  }
}
