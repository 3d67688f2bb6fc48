package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

/** Cases of random ops, which draw the same from the same key. */
final class RandomCases {
  private RandomCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape x = g.shape(g.integer(1, 4));
    RandomKey key = new RandomKey(g.integer(0, 99), OpCase.PATH, g.integer(0, 3));
    Argument samples = fixed(DType.INT64, Shape.of(x.dim(0)), Fill.labels(1000));
    return Stream.of(
        OpCase.of(new Dropout(0.5, key), data(x, Fill.normals()), samples)
            .exactly()
            .differentiable(1),
        OpCase.of(new Dropout(0.1, key), data(x, Fill.normals()), samples).differentiable(1));
  }
}
