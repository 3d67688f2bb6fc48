package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

final class IndexingKernels {
  private IndexingKernels() {}

  static List<double[]> compute(Indexing op, List<Tensor> in, CellPath at) {
    double[] x = in.getFirst().toArray();
    return switch (op) {
      case Gather(int axis) -> List.of(take(op, in, axis, at));
      case Embedding _ -> List.of(take(op, in, 0, at));
      case ScatterAdd(Shape to, int axis, OptionalInt ignored, _) -> {
        int[] places = lookUps(op, to, axis, in.get(1), at);
        int run = run(to, axis);
        double[] sums = new double[Math.toIntExact(to.size())];
        for (int i = 0; i < x.length; i++) {
          if (places[i] / run % to.dim(axis) != ignored.orElse(-1)) {
            sums[places[i]] += x[i];
          }
        }
        yield List.of(sums);
      }
      case OneHot(int depth, double on, double off, _) -> {
        int[] hot = lookUps(op, Shape.of(depth), 0, in.getFirst(), at);
        yield List.of(Loops.fill(hot.length * depth, i -> hot[i / depth] == i % depth ? on : off));
      }
      case CoalesceRows(int size, OptionalInt ignored) -> {
        int[] rows = lookUps(op, Shape.of(size), 0, in.get(1), at);
        yield coalesce(x, rows, ignored);
      }
    };
  }

  private static double[] take(Indexing op, List<Tensor> in, int axis, CellPath at) {
    double[] x = in.getFirst().toArray();
    int[] from = lookUps(op, in.getFirst().shape(), axis, in.get(1), at);
    return Loops.fill(from.length, i -> x[from[i]]);
  }

  private static List<double[]> coalesce(double[] x, int[] rows, OptionalInt ignored) {
    int width = x.length / rows.length;
    int[] distinct =
        Arrays.stream(rows).filter(row -> row != ignored.orElse(-1)).sorted().distinct().toArray();
    double[] sums = new double[x.length];
    for (int i = 0; i < rows.length; i++) {
      int place = Arrays.binarySearch(distinct, rows[i]);
      for (int j = 0; place >= 0 && j < width; j++) {
        sums[place * width + j] += x[i * width + j];
      }
    }
    double[] numbers = Loops.fill(rows.length, i -> i < distinct.length ? distinct[i] : 0);
    return List.of(sums, numbers, new double[] {distinct.length});
  }

  /** For each element that is looked up along an axis of {@code table}, its place there. */
  private static int[] lookUps(Indexing op, Shape table, int axis, Tensor indices, CellPath at) {
    int size = table.dim(axis);
    int run = run(table, axis);
    int blocks = Math.toIntExact(table.size()) / size / run;
    double[] index = indices.toArray();
    int[] places = new int[blocks * index.length * run];
    for (int i = 0; i < places.length; i++) {
      int which = i / run % index.length;
      int row = Indexing.require(op, at, index[which], which, size);
      places[i] = (i / run / index.length * size + row) * run + i % run;
    }
    return places;
  }

  /** How many elements follow each other under one index. */
  private static int run(Shape table, int axis) {
    return Math.toIntExact(new Shape(table.dims().subList(axis + 1, table.rank())).size());
  }
}
