package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cases of ops that fit every shape: rearrangements, dropout. */
final class ShapeCases {
  private ShapeCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape x = g.shape(g.integer(1, 4));
    int size = (int) x.size();
    List<Integer> axes = IntStream.range(0, x.rank()).filter(_ -> g.flag()).boxed().toList();
    Shape kept =
        Shape.of(IntStream.range(0, x.rank()).filter(a -> !axes.contains(a)).map(x::dim).toArray());
    RandomKey key = new RandomKey(g.integer(0, 99), OpCase.PATH, g.integer(0, 3));
    Argument samples = fixed(DType.INT64, Shape.of(x.dim(0)), Fill.labels(1000));
    return Stream.of(
        OpCase.of(new Repeat(x, axes), data(kept, Fill.normals()))
            .exactly()
            .differentiable(1)
            .summing(size),
        OpCase.of(new Reshape(Shape.of(size)), data(x, Fill.normals())).exactly().differentiable(1),
        OpCase.of(new Reshape(x), data(Shape.of(1, size), Fill.normals()))
            .exactly()
            .differentiable(1),
        OpCase.of(new Dropout(0.5, key), data(x, Fill.normals()), samples)
            .exactly()
            .differentiable(1),
        OpCase.of(new Dropout(0.1, key), data(x, Fill.normals()), samples).differentiable(1));
  }
}
