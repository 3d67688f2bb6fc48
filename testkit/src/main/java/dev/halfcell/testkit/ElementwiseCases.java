package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;

import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.tensor.Shape;
import java.util.stream.IntStream;
import java.util.stream.Stream;

final class ElementwiseCases {
  private ElementwiseCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape a = g.shape(g.integer(1, 4));
    Shape b = broadcastable(g, a);
    return Stream.of(
        OpCase.of(new Add(), data(a, Fill.integers()), data(b, Fill.integers()))
            .exactly()
            .differentiable(2)
            .summing((int) a.size()),
        OpCase.of(new Add(), data(b, Fill.normals()), data(a, Fill.normals()))
            .differentiable(2)
            .summing((int) a.size()),
        OpCase.of(new Relu(), data(a, Fill.awayFromZero())).exactly().differentiable(1),
        OpCase.of(new ReluGradient(), data(a, Fill.normals()), data(a, Fill.integers())).exactly(),
        OpCase.of(new ZerosLike(), data(a, Fill.normals())).exactly());
  }

  /** Some leading axes left out, some others of size 1. */
  private static Shape broadcastable(Generator g, Shape to) {
    return Shape.of(
        IntStream.range(g.integer(0, to.rank()), to.rank())
            .map(axis -> g.flag() ? to.dim(axis) : 1)
            .toArray());
  }
}
