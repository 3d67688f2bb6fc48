package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Cases of ops that look up by index; small tables see most of their rows looked up twice. */
final class IndexingCases {
  private IndexingCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape x = g.shape(g.integer(1, 4));
    int axis = g.integer(0, x.rank() - 1);
    Shape looked = g.shape(g.integer(0, 2));
    Argument indices =
        fixed(g.flag() ? DType.INT64 : DType.INT32, looked, Fill.labels(x.dim(axis)));
    int times = (int) looked.size();
    return Stream.concat(
        rows(g),
        Stream.of(
            OpCase.of(new Gather(axis), data(x, Fill.integers()), indices)
                .exactly()
                .differentiable(1),
            OpCase.of(new Gather(axis), data(x, Fill.normals()), indices)
                .differentiable(1)
                .summing(times),
            OpCase.of(new Gather(axis), fixed(DType.INT64, x, Fill.labels(1 << 30)), indices)
                .exactly(),
            wide(g),
            scatter(g, x, axis, indices, true),
            scatter(g, x, axis, indices, false)));
  }

  /** Ops on tables of rows. */
  private static Stream<OpCase> rows(Generator g) {
    int size = g.size();
    Shape looked = g.shape(g.integer(0, 2));
    int times = (int) looked.size();
    Shape values = new Shape(Indexing.lookedUp(Shape.of(size, g.size()), 0, looked));
    OptionalInt padding = g.flag() ? OptionalInt.of(size - 1) : OptionalInt.empty();
    Argument indices = fixed(g.flag() ? DType.INT64 : DType.INT32, looked, Fill.labels(size));
    Argument table = data(Shape.of(size, values.dim(looked.rank())), Fill.normals());
    DType of = List.of(DType.FP32, DType.FP16, DType.BF16, DType.INT32).get(g.integer(0, 3));
    return Stream.of(
        OpCase.of(new Embedding(OptionalInt.empty(), g.flag()), table, indices)
            .differentiable(1)
            .summing(times),
        padded(g, size),
        OpCase.of(new CoalesceRows(size, padding), data(values, Fill.integers()), indices)
            .exactly(),
        OpCase.of(new CoalesceRows(size, padding), data(values, Fill.normals()), indices)
            .summing(times),
        OpCase.of(new OneHot(size, 3, -1, of), indices).exactly());
  }

  /** Too large for central differences, which would find the gradient that padding leaves out. */
  private static OpCase padded(Generator g, int size) {
    Embedding embedding = new Embedding(OptionalInt.of(g.integer(0, size - 1)), g.flag());
    Argument indices = fixed(DType.INT32, Shape.of(21, 20), Fill.labels(size));
    return OpCase.of(embedding, data(Shape.of(size, 3), Fill.normals()), indices)
        .differentiable(1)
        .summing(420);
  }

  /** Rows longer than what a backend sums at once. */
  private static OpCase wide(Generator g) {
    Argument indices = fixed(DType.INT32, Shape.of(g.integer(1, 5)), Fill.labels(3));
    return OpCase.of(new Gather(0), data(Shape.of(3, 4099), Fill.integers()), indices)
        .exactly()
        .differentiable(1);
  }

  private static OpCase scatter(Generator g, Shape to, int axis, Argument indices, boolean exact) {
    List<Integer> values = new ArrayList<>(to.dims());
    values.remove(axis);
    values.addAll(axis, indices.shape().dims());
    return OpCase.of(
            new ScatterAdd(to, axis, g.flag()), data(new Shape(values), Fill.exact(exact)), indices)
        .exact(exact)
        .differentiable(1)
        .summing((int) indices.shape().size());
  }
}
