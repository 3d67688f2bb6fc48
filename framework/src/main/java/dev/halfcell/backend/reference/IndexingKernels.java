package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class IndexingKernels {
  private IndexingKernels() {}

  static double[] compute(Indexing op, List<Tensor> in, CellPath at) {
    double[] x = in.getFirst().toArray();
    return switch (op) {
      case Gather(int axis) -> {
        int[] from = lookUps(op, in.getFirst().shape(), axis, in.get(1), at);
        yield Loops.fill(from.length, i -> x[from[i]]);
      }
      case ScatterAdd(Shape to, int axis, _) -> {
        int[] places = lookUps(op, to, axis, in.get(1), at);
        double[] sums = new double[Math.toIntExact(to.size())];
        for (int i = 0; i < x.length; i++) {
          sums[places[i]] += x[i];
        }
        yield sums;
      }
    };
  }

  /** For each element that is looked up along an axis of {@code table}, its place there. */
  private static int[] lookUps(Indexing op, Shape table, int axis, Tensor indices, CellPath at) {
    int size = table.dim(axis);
    int run = Math.toIntExact(new Shape(table.dims().subList(axis + 1, table.rank())).size());
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
}
