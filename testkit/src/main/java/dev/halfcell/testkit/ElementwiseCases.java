package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.Op;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Binary;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Maximum;
import dev.halfcell.op.elementwise.Minimum;
import dev.halfcell.op.elementwise.Mul;
import dev.halfcell.op.elementwise.PRelu;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.elementwise.SlopedGradient;
import dev.halfcell.op.elementwise.Sub;
import dev.halfcell.op.elementwise.Where;
import dev.halfcell.op.elementwise.WhereGradient;
import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cases of ops of two inputs that broadcast, and of choices. */
final class ElementwiseCases {
  private ElementwiseCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape a = g.shape(g.integer(1, 4));
    Shape b = broadcastable(g, a);
    Stream<OpCase> arithmetic =
        Stream.of(
            exact(new Add(), a, b),
            exact(new Sub(), b, a),
            exact(new Mul(), a, b),
            pair(new Add(), b, a, Fill.normals(), Fill.normals()),
            pair(new Sub(), a, b, Fill.normals(), Fill.normals()),
            pair(new Mul(), b, a, Fill.normals(), Fill.normals()),
            pair(new Div(), a, b, Fill.normals(), Fill.positives()),
            pair(new Div(), b, a, Fill.normals(), Fill.positives().map(x -> -x)),
            pair(new PRelu(), a, b, Fill.awayFromZero(), Fill.normals()),
            pair(new Minimum(), a, b, Fill.distinct(), Fill.distinct().map(x -> x + 1 / 16.0)),
            pair(new Maximum(), b, a, Fill.distinct(), Fill.distinct().map(x -> x + 1 / 16.0)),
            OpCase.of(new Relu(), data(a, Fill.awayFromZero())).exactly().differentiable(1),
            OpCase.of(new ReluGradient(), data(a, Fill.normals()), data(a, Fill.integers()))
                .exactly(),
            OpCase.of(new ZerosLike(), data(a, Fill.normals())).exactly());
    return Stream.concat(arithmetic, choices(g, a, b));
  }

  /** Ties too: the first of two alike counts. */
  private static Stream<OpCase> choices(Generator g, Shape a, Shape b) {
    List<Comparison> comparisons = List.of(Comparison.values());
    Comparison comparison = comparisons.get(g.integer(0, comparisons.size() - 1));
    Argument condition = fixed(DType.BOOL, b, Fill.labels(2));
    Argument whole = fixed(DType.BOOL, a, Fill.labels(2));
    return Stream.of(
        OpCase.of(new Compare(comparison), ints(a), ints(b)).exactly(),
        OpCase.of(
                new Compare(comparison),
                fixed(DType.INT64, b, Fill.integers()),
                fixed(DType.INT64, a, Fill.integers()))
            .exactly(),
        OpCase.of(new Minimum(), ints(a), ints(b)).exactly(),
        OpCase.of(new Maximum(), ints(a), ints(b)).exactly(),
        gradient(g, new SlopedGradient(new Maximum(), g.integer(0, 1)), a, b),
        gradient(g, new SlopedGradient(new Minimum(), g.integer(0, 1)), a, b),
        where(a, b, condition, Fill.integers()).exactly(),
        where(b, b, whole, Fill.normals()),
        where(b, a, condition, Fill.normals()),
        OpCase.of(new WhereGradient(g.flag()), data(a, Fill.normals()), condition).exactly());
  }

  private static Argument ints(Shape shape) {
    return data(shape, Fill.integers());
  }

  private static OpCase gradient(Generator g, Op op, Shape a, Shape b) {
    return OpCase.of(op, ints(a), ints(g.flag() ? a : b), ints(a)).exactly();
  }

  private static OpCase where(Shape a, Shape b, Argument condition, Fill fill) {
    return OpCase.of(new Where(), data(a, fill), data(b, fill), condition)
        .differentiable(2)
        .summing(Math.toIntExact(Math.max(condition.shape().size(), Math.max(a.size(), b.size()))));
  }

  private static OpCase exact(Binary op, Shape a, Shape b) {
    return pair(op, a, b, Fill.integers(), Fill.integers()).exactly();
  }

  private static OpCase pair(Binary op, Shape a, Shape b, Fill first, Fill second) {
    return OpCase.of(op, data(a, first), data(b, second))
        .differentiable(2)
        .summing(Math.toIntExact(Math.max(a.size(), b.size())));
  }

  /** Some leading axes left out, some others of size 1. */
  private static Shape broadcastable(Generator g, Shape to) {
    return Shape.of(
        IntStream.range(g.integer(0, to.rank()), to.rank())
            .map(axis -> g.flag() ? to.dim(axis) : 1)
            .toArray());
  }
}
