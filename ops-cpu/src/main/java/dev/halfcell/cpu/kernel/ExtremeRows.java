package dev.halfcell.cpu.kernel;

import dev.halfcell.op.reduction.Extreme;
import dev.halfcell.op.reduction.ExtremeGradient;
import dev.halfcell.tensor.Elements;
import java.util.List;

/**
 * The largest or smallest of each row and its place: of each chunk without a branch, and only where
 * that counts is its place searched. One part's.
 */
final class ExtremeRows implements LastRows.Row {
  private final Extreme op;
  private final Operand x;
  private final int length;
  private final Operand values;
  private final Operand positions;
  private final Chunk chunk;

  private ExtremeRows(
      Extreme op, Operand x, int length, Operand values, Operand positions, Scratch scratch) {
    this.op = op;
    this.x = x;
    this.length = length;
    this.values = values;
    this.positions = positions;
    chunk = scratch.chunk();
  }

  static void build(KernelBuilder builder, Extreme op, Operand in, List<Operand> out) {
    LastRows rows = new LastRows(in.spec().shape(), op.axes());
    Operand x = rows.in(builder, in);
    List<Operand> to = builder.rowMajorOut(out);
    rows.stage(
        builder, scratch -> new ExtremeRows(op, x, rows.length(), to.get(0), to.get(1), scratch));
  }

  @Override
  public void run(int row) {
    float best = Float.NaN;
    int position = -1;
    for (int start = 0; start < length; start += Chunk.SIZE) {
      int count = Math.min(Chunk.SIZE, length - start);
      chunk.load(x, (long) row * length + start, count);
      float here = op.largest() ? largest(chunk.values, count) : smallest(chunk.values, count);
      if (position < 0 || op.replaces(here, best)) {
        int place = place(chunk.values, here);
        best = chunk.values[place];
        position = start + place;
      }
    }
    Elements.set(values.region().data(), values.dtype(), row, best);
    Elements.set(positions.region().data(), positions.dtype(), row, position);
  }

  private static float largest(float[] x, int count) {
    float largest = x[0];
    for (int i = 1; i < count; i++) {
      largest = Math.max(largest, x[i]);
    }
    return largest;
  }

  private static float smallest(float[] x, int count) {
    float smallest = x[0];
    for (int i = 1; i < count; i++) {
      smallest = Math.min(smallest, x[i]);
    }
    return smallest;
  }

  /** Where the first element equal to this one, which there is, stands; of NaNs all are equal. */
  private static int place(float[] x, float value) {
    int place = 0;
    while (x[place] != value && !(Float.isNaN(value) && Float.isNaN(x[place]))) {
      place++;
    }
    return place;
  }

  /** Zeros, and each d at its position. */
  static void gradient(KernelBuilder builder, ExtremeGradient op, List<Operand> in, Operand out) {
    LastRows rows = new LastRows(op.input(), op.axes());
    List<Operand> from = builder.rowMajorIn(in);
    Operand d = from.get(0);
    Operand positions = from.get(1);
    Operand to = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Operand dx = rows.out(builder, to);
    Filling.stage(builder, dx, 0);
    rows.stage(
        builder,
        _ ->
            row -> {
              long position = Elements.whole(positions.region().data(), positions.dtype(), row);
              double slope = Elements.get(d.region().data(), d.dtype(), row);
              long place = (long) row * rows.length() + position;
              Elements.set(dx.region().data(), dx.dtype(), place, slope);
            });
    rows.back(builder, dx, to);
  }
}
