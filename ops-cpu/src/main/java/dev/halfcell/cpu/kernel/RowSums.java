package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Elements;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Sums of the values that have one index. The look-ups are first sorted by their index, those of
 * one index in their order; then each sum is one part's alone, in double, and is rounded once. So
 * neither the number of threads nor the form of the result changes a bit.
 */
final class RowSums {
  private final Indices indices;
  private final int size;
  private final int ignored;
  private final int[]
      first; // for each index, where its look-ups begin in order; one more at the end
  private final int[] order; // the look-ups, sorted by index
  private final int[] rows; // the indices that occur, ascending
  private int distinct;

  private RowSums(Indices indices, int size, OptionalInt ignored) {
    this.indices = indices;
    this.size = size;
    this.ignored = ignored.orElse(-1);
    this.first = new int[size + 2];
    this.order = new int[indices.count()];
    this.rows = new int[Math.min(size, indices.count())];
  }

  /** Sums into every row along an axis of {@code to}, zeros where there is none. */
  static void scatter(
      KernelBuilder builder,
      Operand values,
      Indices indices,
      int axis,
      OptionalInt ignored,
      Operand to) {
    int size = to.spec().dim(axis);
    RowSums sums = new RowSums(indices, size, ignored);
    builder.stage(1, _ -> sums.sort());
    int run = Math.toIntExact(Steps.whole(to.spec().shape()).along().get(axis));
    int count = indices.count();
    each(
        builder,
        Math.toIntExact(to.spec().size() / run),
        (row, worker) -> {
          long block = (long) (row / size) * count;
          worker.sum(sums, row % size, values, block, run, to, (long) row * run);
        });
  }

  /** Sums into rows of their own; {@code out} are sums, rows and count. */
  static void coalesce(
      KernelBuilder builder,
      Operand values,
      Indices indices,
      int size,
      OptionalInt ignored,
      List<Operand> out) {
    RowSums sums = new RowSums(indices, size, ignored);
    Operand to = out.getFirst();
    int width = to.spec().dim(1);
    builder.stage(
        1,
        _ -> {
          sums.sort();
          sums.number(out.get(1), out.get(2));
        });
    each(
        builder,
        indices.count(),
        (place, worker) -> {
          int row = place < sums.distinct ? sums.rows[place] : -1;
          worker.sum(sums, row, values, 0, width, to, (long) place * width);
        });
  }

  /** By counting, so that look-ups of one index stay in their order. */
  private void sort() {
    Arrays.fill(first, 0);
    for (int i = 0; i < order.length; i++) {
      first[indices.at(i, size) + 2]++;
    }
    for (int row = 2; row < first.length; row++) {
      first[row] += first[row - 1];
    }
    for (int i = 0; i < order.length; i++) {
      order[first[indices.at(i, size) + 1]++] = i;
    }
  }

  private void number(Operand numbers, Operand count) {
    distinct = 0;
    for (int row = 0; row < size; row++) {
      if (row != ignored && first[row] < first[row + 1]) {
        rows[distinct++] = row;
      }
    }
    for (int i = 0; i < order.length; i++) {
      int row = i < distinct ? rows[i] : 0;
      Elements.set(numbers.region().data(), numbers.dtype(), i, row);
    }
    Scalars.set(count, distinct);
  }

  /** What is done for one row of the result. */
  @FunctionalInterface
  private interface Row {
    void run(int row, Worker worker);
  }

  private static void each(KernelBuilder builder, int rows, Row row) {
    Split split = Split.of(rows, 1, builder.threads());
    Worker[] workers =
        IntStream.range(0, split.parts())
            .mapToObj(part -> new Worker(builder.scratch(part)))
            .toArray(Worker[]::new);
    builder.stage(
        split.parts(),
        part -> {
          for (int i = split.from(part); i < split.from(part + 1); i++) {
            row.run(i, workers[part]);
          }
        });
  }

  /** One part's chunk and sums. */
  private static final class Worker {
    private final Chunk chunk;
    private final double[] sums;

    Worker(Scratch scratch) {
      chunk = scratch.chunk();
      sums = scratch.doubles(Chunk.SIZE);
    }

    /**
     * Sums runs of values into one run of {@code to} at {@code place}; no row at all is below 0.
     *
     * @param block where the values of look-up 0 stand, counted in runs
     */
    void sum(RowSums by, int row, Operand values, long block, int run, Operand to, long place) {
      boolean some = row >= 0 && row != by.ignored;
      int begin = some ? by.first[row] : 0;
      int end = some ? by.first[row + 1] : 0;
      for (int start = 0; start < run; start += Chunk.SIZE) {
        int count = Math.min(Chunk.SIZE, run - start);
        Arrays.fill(sums, 0, count, 0);
        for (int i = begin; i < end; i++) {
          long from = (block + by.order[i]) * run + start;
          chunk.load(values, from, count);
          add(chunk.values, sums, count);
        }
        round(sums, chunk.values, count);
        chunk.store(to, place + start, count);
      }
    }

    private static void add(float[] values, double[] sums, int count) {
      for (int i = 0; i < count; i++) {
        sums[i] += values[i];
      }
    }

    private static void round(double[] sums, float[] to, int count) {
      for (int i = 0; i < count; i++) {
        to[i] = (float) sums[i];
      }
    }
  }
}
