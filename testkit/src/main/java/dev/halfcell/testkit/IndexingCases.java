package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
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
    return Stream.of(
        OpCase.of(new Gather(axis), data(x, Fill.integers()), indices).exactly().differentiable(1),
        OpCase.of(new Gather(axis), data(x, Fill.normals()), indices)
            .differentiable(1)
            .summing(times),
        OpCase.of(new Gather(axis), fixed(DType.INT64, x, Fill.labels(1 << 30)), indices).exactly(),
        scatter(g, x, axis, indices, true),
        scatter(g, x, axis, indices, false));
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
