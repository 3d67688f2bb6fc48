package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.Op;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cases of ops that move elements. Nothing is computed, so that every result is exact. */
final class RearrangementCases {
  private RearrangementCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape x = g.shape(g.integer(1, 4));
    Shape image = g.shape(4);
    int axis = g.integer(0, x.rank() - 1);
    Argument numbers = fixed(DType.INT64, x, Fill.labels(1 << 30));
    return Stream.concat(
        Stream.of(
            moved(transpose(g, x.rank()), x),
            moved(transpose(g, 4), image),
            moved(new Transpose(List.of(0, 2, 1, 3)), image),
            OpCase.of(transpose(g, x.rank()), numbers).exactly(),
            moved(slice(g, x), x),
            moved(Slice.along(x, axis, 0, x.dim(axis)), x),
            OpCase.of(slice(g, x), numbers).exactly(),
            moved(pad(g, x, 0), x),
            moved(pad(g, x, -1.5), x),
            OpCase.of(pad(g, x, -7), numbers).exactly(),
            concat(g, x, axis),
            OpCase.of(new Concat(axis), data(x, Fill.normals())).exactly().differentiable(1),
            OpCase.of(new Concat(axis), numbers, numbers).exactly()),
        Stream.of(
            moved(new Transpose(List.of(1, 0)), Shape.of(70, 45)),
            moved(new Transpose(List.of(2, 0, 1)), Shape.of(33, 3, 65)),
            moved(new Slice(List.of(1, 0), List.of(3, 40), List.of(1, 2)), Shape.of(5, 80)),
            reverse(g, g.shape(2)),
            reverse(g, g.shape(3)),
            reverse(g, image)));
  }

  private static OpCase moved(Op op, Shape x) {
    return OpCase.of(op, data(x, Fill.normals())).exactly().differentiable(1);
  }

  private static Transpose transpose(Generator g, int rank) {
    return new Transpose(Arrays.stream(g.permutation(rank)).boxed().toList());
  }

  private static List<Integer> each(Shape x, IntUnaryOperator ofAxis) {
    return IntStream.range(0, x.rank()).map(ofAxis).boxed().toList();
  }

  private static Slice slice(Generator g, Shape x) {
    List<Integer> stride = each(x, axis -> g.integer(1, Math.min(3, x.dim(axis))));
    List<Integer> size = each(x, axis -> g.integer(1, 1 + (x.dim(axis) - 1) / stride.get(axis)));
    List<Integer> start =
        each(x, axis -> g.integer(0, x.dim(axis) - 1 - (size.get(axis) - 1) * stride.get(axis)));
    return new Slice(start, size, stride);
  }

  private static Pad pad(Generator g, Shape x, double value) {
    return new Pad(
        each(x, _ -> g.integer(0, 3)),
        g.flag() ? Collections.nCopies(x.rank(), 0) : each(x, _ -> g.integer(0, 2)),
        each(x, _ -> g.integer(0, 3)),
        value);
  }

  private static OpCase concat(Generator g, Shape x, int axis) {
    int count = g.integer(2, 4);
    Argument[] in = new Argument[count];
    for (int i = 0; i < count; i++) {
      int[] sizes = x.toArray();
      sizes[axis] = g.size();
      in[i] = data(Shape.of(sizes), Fill.normals());
    }
    return OpCase.of(new Concat(axis), in).exactly().differentiable(count);
  }

  private static OpCase reverse(Generator g, Shape x) {
    int[] axes = g.permutation(x.rank());
    Argument lengths =
        fixed(DType.INT32, Shape.of(x.dim(axes[0])), Fill.labels(x.dim(axes[1]) + 1));
    return OpCase.of(new ReverseSequence(axes[0], axes[1]), data(x, Fill.normals()), lengths)
        .exactly()
        .differentiable(1);
  }
}
