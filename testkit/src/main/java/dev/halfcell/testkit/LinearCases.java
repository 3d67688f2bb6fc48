package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;

import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

final class LinearCases {
  private LinearCases() {}

  static Stream<OpCase> draw(Generator g) {
    return Stream.of(true, false)
        .flatMap(
            exact ->
                Stream.of(
                    dense(g, Shape.SCALAR, exact),
                    dense(g, few(g, g.integer(1, 2)), exact),
                    matMul(g, Shape.SCALAR, Shape.SCALAR, exact),
                    batched(g, exact)));
  }

  /** Leading axes of a few places each. */
  private static Shape few(Generator g, int rank) {
    return Shape.of(IntStream.range(0, rank).map(_ -> g.integer(1, 4)).toArray());
  }

  private static OpCase dense(Generator g, Shape leading, boolean exact) {
    Fill fill = Fill.exact(exact);
    int rows = g.size();
    int in = g.size();
    int out = g.size();
    Argument x = data(leading.then(rows, in), fill);
    Argument weight = data(Shape.of(out, in), fill);
    OpCase drawn =
        g.flag()
            ? OpCase.of(new Dense(), x, weight).differentiable(2)
            : OpCase.of(new Dense(), x, weight, data(Shape.of(out), fill)).differentiable(3);
    int batch = Math.toIntExact(leading.size()) * rows;
    return drawn.exact(exact).summing(Math.max(batch, Math.max(in, out)));
  }

  /** Leading axes that are alike, or of which one operand lacks some or has them with size 1. */
  private static OpCase batched(Generator g, boolean exact) {
    Shape all = few(g, g.integer(1, 3));
    int place = g.integer(0, all.rank() - 1);
    int[] one = all.toArray();
    one[place] = 1;
    Shape other =
        switch (g.integer(0, 3)) {
          case 0 -> Shape.of(one);
          case 1 -> Shape.of(Arrays.copyOfRange(all.toArray(), place, all.rank()));
          case 2 -> Shape.SCALAR;
          default -> all;
        };
    return g.flag() ? matMul(g, all, other, exact) : matMul(g, other, all, exact);
  }

  private static OpCase matMul(Generator g, Shape ofA, Shape ofB, boolean exact) {
    Fill fill = Fill.exact(exact);
    boolean transposeA = g.flag();
    boolean transposeB = g.flag();
    int m = g.size();
    int k = g.size();
    int n = g.size();
    long matrices = Math.max(ofA.size(), ofB.size());
    return OpCase.of(
            new MatMul(transposeA, transposeB, g.flag()),
            data(transposeA ? ofA.then(k, m) : ofA.then(m, k), fill),
            data(transposeB ? ofB.then(n, k) : ofB.then(k, n), fill))
        .exact(exact)
        .differentiable(2)
        .summing(Math.toIntExact(matrices) * Math.max(k, Math.max(m, n)));
  }
}
