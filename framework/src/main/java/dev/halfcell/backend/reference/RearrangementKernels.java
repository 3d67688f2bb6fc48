package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

final class RearrangementKernels {
  private RearrangementKernels() {}

  static double[] compute(Rearrangement op, List<Tensor> in, Shape to, CellPath at) {
    double[] x = in.getFirst().toArray();
    Shape from = in.getFirst().shape();
    return switch (op) {
      case Reshape _ -> x;
      case Repeat(Shape repeated, List<Integer> axes) ->
          take(x, Loops.positions(repeated, axes::contains));
      case Transpose transpose -> transpose(x, from, to, transpose.permutation());
      case Slice slice -> take(x, sliced(slice, from));
      case Pad pad -> {
        double[] y = new double[Math.toIntExact(to.size())];
        Arrays.fill(y, pad.value());
        put(x, y, sliced(pad.kept(from), to));
        yield y;
      }
      case Concat(int axis) -> concat(in, axis, to);
      case ReverseSequence reverse -> reverse(reverse, in, at);
    };
  }

  private static double[] take(double[] x, int[] from) {
    return Loops.fill(from.length, i -> x[from[i]]);
  }

  private static void put(double[] x, double[] y, int[] to) {
    for (int i = 0; i < x.length; i++) {
      y[to[i]] = x[i];
    }
  }

  /** Where the elements of a slice stand in the whole. */
  private static int[] sliced(Slice slice, Shape whole) {
    Shape part = new Shape(slice.size());
    int[] flat = new int[Math.toIntExact(part.size())];
    for (int i = 0; i < flat.length; i++) {
      int[] place = Loops.place(i, part);
      for (int axis = 0; axis < place.length; axis++) {
        place[axis] = slice.start().get(axis) + place[axis] * slice.stride().get(axis);
      }
      flat[i] = Loops.flat(place, whole);
    }
    return flat;
  }

  private static double[] transpose(double[] x, Shape from, Shape to, List<Integer> permutation) {
    return Loops.fill(
        x.length,
        i -> {
          int[] moved = Loops.place(i, to);
          int[] place = new int[moved.length];
          for (int axis = 0; axis < place.length; axis++) {
            place[permutation.get(axis)] = moved[axis];
          }
          return x[Loops.flat(place, from)];
        });
  }

  private static double[] concat(List<Tensor> in, int axis, Shape to) {
    double[] y = new double[Math.toIntExact(to.size())];
    int start = 0;
    for (Tensor x : in) {
      int size = x.spec().dim(axis);
      put(x.toArray(), y, sliced(Slice.along(to, axis, start, size), to));
      start += size;
    }
    return y;
  }

  private static double[] reverse(ReverseSequence op, List<Tensor> in, CellPath at) {
    Shape shape = in.getFirst().shape();
    double[] x = in.getFirst().toArray();
    double[] lengths = in.get(1).toArray();
    for (int n = 0; n < lengths.length; n++) {
      ReverseSequence.requireLength(op, at, lengths[n], n, shape.dim(op.timeAxis()));
    }
    return Loops.fill(
        x.length,
        i -> {
          int[] place = Loops.place(i, shape);
          int length = (int) lengths[place[op.batchAxis()]];
          place[op.timeAxis()] = ReverseSequence.source(place[op.timeAxis()], length);
          return x[Loops.flat(place, shape)];
        });
  }
}
