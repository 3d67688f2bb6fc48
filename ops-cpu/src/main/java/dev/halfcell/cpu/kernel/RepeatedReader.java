package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/**
 * Reads an operand as if it were repeated along axes: row by row of the result, each a run of the
 * operand's elements or one element many times. Where the rows of a chunk come from one short
 * stretch of the operand, that is fetched once.
 */
final class RepeatedReader implements Flat.Reader {
  private final Operand x;
  private final Rows rows;
  private final Chunk source;
  private final float[] values;
  private final long[] from;
  private final int[] ends;

  RepeatedReader(Operand x, Rows rows, Scratch scratch) {
    this.x = x;
    this.rows = rows;
    source = scratch.chunk();
    values = scratch.chunk().values;
    from = scratch.take(long[].class, Chunk.SIZE, 8L * Chunk.SIZE, () -> new long[Chunk.SIZE]);
    ends = scratch.take(int[].class, Chunk.SIZE, 4L * Chunk.SIZE, () -> new int[Chunk.SIZE]);
  }

  @Override
  public float[] values() {
    return values;
  }

  @Override
  public void read(int start, int count) {
    int runs = runs(start, count);
    long first = Long.MAX_VALUE;
    long end = 0;
    for (int run = 0; run < runs; run++) {
      first = Math.min(first, from[run]);
      end = Math.max(end, from[run] + length(run));
    }
    boolean near = end - first <= Chunk.SIZE;
    if (near) {
      load(first, (int) (end - first));
    }
    for (int run = 0; run < runs; run++) {
      if (!near) {
        load(from[run], length(run));
      }
      copy(run, near ? (int) (from[run] - first) : 0);
    }
  }

  /** Cuts the places into runs, one for each row they touch, and returns how many there are. */
  private int runs(int start, int count) {
    int length = rows.length();
    int runs = 0;
    for (int place = 0; place < count; runs++) {
      int row = (start + place) / length;
      int offset = (start + place) % length;
      from[runs] = rows.start(row) + (rows.moves() ? offset : 0);
      place = Math.min(count, place + length - offset);
      ends[runs] = place;
    }
    return runs;
  }

  /** How many elements of the operand a run needs. */
  private int length(int run) {
    return rows.moves() ? ends[run] - begin(run) : 1;
  }

  private int begin(int run) {
    return run == 0 ? 0 : ends[run - 1];
  }

  private void load(long index, int count) {
    source.load(x, index, count);
  }

  private void copy(int run, int at) {
    int begin = begin(run);
    if (rows.moves()) {
      System.arraycopy(source.values, at, values, begin, ends[run] - begin);
    } else {
      Arrays.fill(values, begin, ends[run], source.values[at]);
    }
  }
}
