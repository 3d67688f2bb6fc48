package dev.halfcell.cpu.kernel;

import dev.halfcell.op.reduction.LogSumExp;
import dev.halfcell.tensor.Elements;

/** The logarithm of the sum of each row's exponentials, in double: their largest first. */
final class LogSumExpRows implements LastRows.Row {
  private final Operand x;
  private final int length;
  private final Operand y;
  private final Chunk chunk;
  private final double[] exponentials;
  private final SoftmaxLoops loops = new SoftmaxLoops();

  private LogSumExpRows(Operand x, int length, Operand y, Scratch scratch) {
    this.x = x;
    this.length = length;
    this.y = y;
    chunk = scratch.chunk();
    exponentials = scratch.doubles(Chunk.SIZE);
  }

  static void build(KernelBuilder builder, LogSumExp op, Operand in, Operand out) {
    LastRows rows = new LastRows(in.spec().shape(), op.axes());
    Operand x = rows.in(builder, in);
    Operand y = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    rows.stage(builder, scratch -> new LogSumExpRows(x, rows.length(), y, scratch));
  }

  @Override
  public void run(int row) {
    float largest = Float.NEGATIVE_INFINITY;
    for (int start = 0; start < length; start += Chunk.SIZE) {
      largest = Math.max(largest, Largest.of(chunk.values, 0, load(row, start)));
    }
    double result = Float.isInfinite(largest) ? largest : largest + Math.log(sum(row, largest));
    Elements.set(y.region().data(), y.dtype(), row, result);
  }

  private double sum(int row, float largest) {
    double sum = 0;
    for (int start = 0; start < length; start += Chunk.SIZE) {
      sum += loops.exponentials(chunk.values, largest, exponentials, load(row, start));
    }
    return sum;
  }

  /** Loads what of a row stands from {@code start} on, and returns its count. */
  private int load(int row, int start) {
    int count = Math.min(Chunk.SIZE, length - start);
    chunk.load(x, (long) row * length + start, count);
    return count;
  }
}
