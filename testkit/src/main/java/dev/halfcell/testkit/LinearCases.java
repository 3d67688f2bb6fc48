package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;

import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

final class LinearCases {
  private LinearCases() {}

  static Stream<OpCase> draw(Generator g) {
    return Stream.of(true, false).flatMap(exact -> Stream.of(dense(g, exact), matMul(g, exact)));
  }

  private static OpCase dense(Generator g, boolean exact) {
    Fill fill = Fill.exact(exact);
    int batch = g.size();
    int in = g.size();
    int out = g.size();
    Argument x = data(Shape.of(batch, in), fill);
    Argument weight = data(Shape.of(out, in), fill);
    OpCase drawn =
        g.flag()
            ? OpCase.of(new Dense(), x, weight).differentiable(2)
            : OpCase.of(new Dense(), x, weight, data(Shape.of(out), fill)).differentiable(3);
    return drawn.exact(exact).summing(Math.max(batch, Math.max(in, out)));
  }

  private static OpCase matMul(Generator g, boolean exact) {
    Fill fill = Fill.exact(exact);
    boolean transposeA = g.flag();
    boolean transposeB = g.flag();
    int m = g.size();
    int k = g.size();
    int n = g.size();
    return OpCase.of(
            new MatMul(transposeA, transposeB, g.flag()),
            data(transposeA ? Shape.of(k, m) : Shape.of(m, k), fill),
            data(transposeB ? Shape.of(n, k) : Shape.of(k, n), fill))
        .exact(exact)
        .differentiable(2)
        .summing(Math.max(k, Math.max(m, n)));
  }
}
