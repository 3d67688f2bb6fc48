package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.util.Arrays;

/**
 * A number for each gate of each unit of one sample, the gates in arrays of their own, for the JIT
 * vectorises loops whose arrays all have one index. In memory the gates stand one after the other.
 */
final class Gates {
  final float[][] values;
  private final Chunk[] chunks;
  private final int hidden;

  Gates(int gates, int hidden) {
    this.hidden = hidden;
    chunks = new Chunk[gates];
    Arrays.setAll(chunks, _ -> new Chunk(hidden));
    values = Arrays.stream(chunks).map(chunk -> chunk.values).toArray(float[][]::new);
  }

  void load(Operand from, int row) {
    for (int gate = 0; gate < chunks.length; gate++) {
      chunks[gate].load(from, place(row, gate), hidden);
    }
  }

  void store(Operand to, int row) {
    for (int gate = 0; gate < chunks.length; gate++) {
      chunks[gate].store(to, place(row, gate), hidden);
    }
  }

  private long place(int row, int gate) {
    return ((long) row * chunks.length + gate) * hidden;
  }

  /** Rounds each number to a dtype; they are FP32 already. */
  void round(DType dtype) {
    for (Chunk chunk : chunks) {
      chunk.round(dtype, hidden);
    }
  }

  /** Adds the numbers of {@code terms}, place by place. */
  void add(Gates terms) {
    for (int gate = 0; gate < chunks.length; gate++) {
      add(values[gate], terms.values[gate]);
    }
  }

  private static void add(float[] sums, float[] terms) {
    for (int j = 0; j < sums.length; j++) {
      sums[j] += terms[j];
    }
  }
}
