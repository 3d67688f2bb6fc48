package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;

/** Look-ups as copies of runs, and the sums that undo them by {@link RowSums}. */
final class IndexingKernels {
  private IndexingKernels() {}

  static void build(
      KernelBuilder builder, Indexing op, List<Operand> in, List<Operand> out, CellPath at) {
    List<Operand> from = in.stream().map(x -> builder.in(x, x.dtype(), Layout.ROW_MAJOR)).toList();
    List<Operand> to = out.stream().map(y -> builder.out(y, y.dtype(), Layout.ROW_MAJOR)).toList();
    Indices indices = new Indices(op, at, from.getLast());
    switch (op) {
      case Gather(int axis) -> lookUp(builder, from.getFirst(), axis, indices, to.getFirst());
      case Embedding _ -> lookUp(builder, from.getFirst(), 0, indices, to.getFirst());
      case ScatterAdd(Shape _, int axis, OptionalInt ignored, _) ->
          RowSums.scatter(builder, from.getFirst(), indices, axis, ignored, to.getFirst());
      case CoalesceRows(int size, OptionalInt ignored) ->
          RowSums.coalesce(builder, from.getFirst(), indices, size, ignored, to);
      case OneHot hot -> {
        Filling.stage(builder, to.getFirst(), hot.off());
        builder.stage(1, _ -> heat(hot, indices, to.getFirst()));
      }
    }
  }

  private static void lookUp(
      KernelBuilder builder, Operand x, int axis, Indices indices, Operand y) {
    int size = x.spec().dim(axis);
    long run = Steps.whole(x.spec().shape()).along().get(axis) * x.dtype().bytes();
    int count = indices.count();
    int runs = Math.toIntExact(y.spec().bytes() / run);
    Split split = Split.of(runs, 1, builder.threads());
    builder.stage(
        split.parts(),
        part -> {
          MemorySegment from = x.region().data();
          MemorySegment to = y.region().data();
          for (int i = split.from(part); i < split.from(part + 1); i++) {
            long row = (long) (i / count) * size + indices.at(i % count, size);
            MemorySegment.copy(from, row * run, to, i * run, run);
          }
        });
  }

  private static void heat(OneHot hot, Indices indices, Operand y) {
    MemorySegment data = y.region().data();
    for (int i = 0; i < indices.count(); i++) {
      long place = (long) i * hot.depth() + indices.at(i, hot.depth());
      Elements.set(data, y.dtype(), place, hot.on());
    }
  }
}
