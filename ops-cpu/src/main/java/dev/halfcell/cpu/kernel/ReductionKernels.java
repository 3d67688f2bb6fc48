package dev.halfcell.cpu.kernel;

import dev.halfcell.op.reduction.Extreme;
import dev.halfcell.op.reduction.ExtremeGradient;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.op.reduction.LogSoftmaxGradient;
import dev.halfcell.op.reduction.LogSumExp;
import dev.halfcell.op.reduction.Mean;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.SoftmaxGradient;
import dev.halfcell.op.reduction.Sum;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Sums in double, rounded once. Each part sums its rows; then the parts are added in order. */
final class ReductionKernels {
  private static final int LARGEST_SHARED = 1 << 20;

  private ReductionKernels() {}

  static void build(KernelBuilder builder, Reduction op, List<Operand> in, List<Operand> out) {
    switch (op) {
      case Sum(List<Integer> axes, _) -> sum(builder, in.getFirst(), out.getFirst(), axes);
      case Mean(List<Integer> axes) -> mean(builder, in.getFirst(), out.getFirst(), axes);
      case Softmax(int axis) -> rows(builder, axis, in, out, () -> new SoftmaxLoops()::softmax);
      case SoftmaxGradient(int axis) ->
          rows(builder, axis, in, out, () -> new SoftmaxLoops()::softmaxGradient);
      case LogSoftmax(int axis) ->
          rows(builder, axis, in, out, () -> new SoftmaxLoops()::logSoftmax);
      case LogSoftmaxGradient(int axis) ->
          rows(builder, axis, in, out, () -> new SoftmaxLoops()::logSoftmaxGradient);
      case Extreme extreme -> ExtremeRows.build(builder, extreme, in.getFirst(), out);
      case ExtremeGradient back -> ExtremeRows.gradient(builder, back, in, out.getFirst());
      case LogSumExp log -> LogSumExpRows.build(builder, log, in.getFirst(), out.getFirst());
    }
  }

  private static void rows(
      KernelBuilder builder,
      int axis,
      List<Operand> in,
      List<Operand> out,
      Supplier<AxisRows.Loop> loops) {
    AxisRows.stage(builder, axis, in, out.getFirst(), loops);
  }

  private static void mean(KernelBuilder builder, Operand in, Operand out, List<Integer> axes) {
    sum(builder, in, out, axes, (double) in.spec().size() / out.spec().size());
  }

  /** Sums over axes of [N, C, H, W] or any other shape, in the order in which the input lies. */
  static void sum(KernelBuilder builder, Operand in, Operand out, List<Integer> axes) {
    sum(builder, in, out, axes, 1);
  }

  private static void sum(
      KernelBuilder builder, Operand in, Operand out, List<Integer> axes, double divisor) {
    int rank = in.spec().rank();
    // What is left of the axes is in the same order in both layouts where at most one is kept.
    Operand x = rank - axes.size() <= 1 ? in : builder.in(in, in.dtype(), Layout.ROW_MAJOR);
    Operand to = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Set<Integer> dropped = new HashSet<>();
    axes.forEach(axis -> dropped.add(x.layout().place(axis, rank)));
    Rows rows = new Rows(x.layout().physical(x.spec().shape()), dropped::contains);
    int size = Flat.size(to);
    Split split = Split.of(rows.count(), 1, size > LARGEST_SHARED ? 1 : builder.threads());
    double[][] sums = new double[split.parts()][size];
    Chunk[] chunks = builder.chunks(split.parts());
    builder.stage(
        split.parts(),
        part -> {
          Arrays.fill(sums[part], 0);
          for (int row = split.from(part); row < split.from(part + 1); row++) {
            add(x, rows, row, chunks[part], sums[part]);
          }
        });
    builder.stage(1, _ -> store(sums, divisor, to, chunks[0]));
  }

  private static void add(Operand x, Rows rows, int row, Chunk chunk, double[] sums) {
    int length = rows.length();
    int at = Math.toIntExact(rows.start(row));
    for (int start = 0; start < length; start += Chunk.SIZE) {
      int count = Math.min(Chunk.SIZE, length - start);
      chunk.load(x, (long) row * length + start, count);
      if (rows.moves()) {
        spread(chunk.values, count, sums, at + start);
      } else {
        sums[at] += RunningSums.of(chunk.values, 0, count);
      }
    }
  }

  private static void spread(float[] values, int count, double[] sums, int at) {
    for (int i = 0; i < count; i++) {
      sums[at + i] += values[i];
    }
  }

  private static void store(double[][] sums, double divisor, Operand to, Chunk chunk) {
    int size = sums[0].length;
    for (int start = 0; start < size; start += Chunk.SIZE) {
      int count = Math.min(Chunk.SIZE, size - start);
      for (int i = 0; i < count; i++) {
        double sum = 0;
        for (double[] part : sums) {
          sum += part[start + i];
        }
        chunk.values[i] = (float) (sum / divisor);
      }
      chunk.store(to, start, count);
    }
  }
}
