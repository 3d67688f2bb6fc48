package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Computations on the rows of tensors along one axis: each row is brought together in an array, so
 * that loops over it are the same for any axis. Results are rounded once, from double. Rows are
 * shared out among threads.
 */
final class AxisRows {
  private final List<Operand> in;
  private final Operand out;
  private final Loop loop;
  private final int length;
  private final int inner;
  private final Chunk[] sources;
  private final Chunk target;
  private final float[][] rows;
  private final double[] result;

  /** What makes a result of a row of each input. */
  @FunctionalInterface
  interface Loop {
    void run(float[][] rows, double[] result, int length);
  }

  private AxisRows(Scratch scratch, List<Operand> in, Operand out, int axis, Loop loop) {
    this.in = in;
    this.out = out;
    this.loop = loop;
    Shape shape = out.spec().shape();
    length = shape.dim(axis);
    inner = product(shape, axis + 1, shape.rank());
    sources = in.stream().map(_ -> scratch.chunk(length * inner)).toArray(Chunk[]::new);
    target = scratch.chunk(length * inner);
    rows = new float[in.size()][length];
    result = new double[length];
  }

  /** A stage over operands of one shape, with a loop for each part. */
  static void stage(
      KernelBuilder builder, int axis, List<Operand> in, Operand out, Supplier<Loop> loops) {
    List<Operand> from = in.stream().map(x -> builder.in(x, x.dtype(), Layout.ROW_MAJOR)).toList();
    Operand to = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Split split = Split.of(product(out.spec().shape(), 0, axis), 1, builder.threads());
    AxisRows[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> new AxisRows(builder.scratch(part), from, to, axis, loops.get()))
            .toArray(AxisRows[]::new);
    builder.stage(
        split.parts(),
        part -> {
          for (int block = split.from(part); block < split.from(part + 1); block++) {
            parts[part].block(block);
          }
        });
  }

  private static int product(Shape shape, int from, int to) {
    return IntStream.range(from, to).map(shape::dim).reduce(1, (a, b) -> a * b);
  }

  /** All rows with one place before the axis. */
  private void block(int block) {
    long first = (long) block * length * inner;
    for (int i = 0; i < sources.length; i++) {
      sources[i].load(in.get(i), first, length * inner);
    }
    for (int row = 0; row < inner; row++) {
      for (int i = 0; i < sources.length; i++) {
        gather(sources[i].values, row, rows[i]);
      }
      loop.run(rows, result, length);
      scatter(row, target.values);
    }
    target.store(out, first, length * inner);
  }

  private void gather(float[] block, int row, float[] to) {
    for (int i = 0; i < length; i++) {
      to[i] = block[row + i * inner];
    }
  }

  private void scatter(int row, float[] block) {
    boolean half = out.dtype().half();
    for (int i = 0; i < length; i++) {
      block[row + i * inner] = half ? DType.toOdd(result[i]) : (float) result[i];
    }
  }
}
