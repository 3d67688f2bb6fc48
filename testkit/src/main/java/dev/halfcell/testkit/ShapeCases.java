package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;

import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cases of rearrangements that fit every shape. */
final class ShapeCases {
  private ShapeCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape x = g.shape(g.integer(1, 4));
    int size = (int) x.size();
    List<Integer> axes = IntStream.range(0, x.rank()).filter(_ -> g.flag()).boxed().toList();
    Shape kept =
        Shape.of(IntStream.range(0, x.rank()).filter(a -> !axes.contains(a)).map(x::dim).toArray());
    return Stream.of(
        OpCase.of(new Repeat(x, axes), data(kept, Fill.normals()))
            .exactly()
            .differentiable(1)
            .summing(size),
        OpCase.of(new Reshape(Shape.of(size)), data(x, Fill.normals())).exactly().differentiable(1),
        OpCase.of(new Reshape(x), data(Shape.of(1, size), Fill.normals()))
            .exactly()
            .differentiable(1));
  }
}
