package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;

/**
 * Moves 16-bit numbers between row-major order and channels last, sample by sample, bit for bit.
 * oneDNN's own reorder of them is slow where it has no instructions for their dtype, and flushes
 * subnormal numbers.
 */
final class Transpose {
  private final Operand from;
  private final Operand to;
  private final int rows;
  private final int columns;
  private final long bytes;
  private final short[] before;
  private final short[] after;
  private final MemorySegment beforeInMemory;
  private final MemorySegment afterInMemory;

  Transpose(Operand from, Operand to) {
    this.from = from;
    this.to = to;
    TensorSpec spec = from.spec();
    int channels = spec.dim(1);
    int pixels = spec.dim(2) * spec.dim(3);
    boolean toLast = to.layout() == Layout.CHANNELS_LAST;
    rows = toLast ? channels : pixels;
    columns = toLast ? pixels : channels;
    bytes = from.sampleOffset(1);
    before = new short[rows * columns];
    after = new short[rows * columns];
    beforeInMemory = MemorySegment.ofArray(before);
    afterInMemory = MemorySegment.ofArray(after);
  }

  void run(int sample) {
    MemorySegment source = from.region().data();
    MemorySegment target = to.region().data();
    MemorySegment.copy(source, sample * bytes, beforeInMemory, 0, bytes);
    for (int row = 0; row < rows; row++) {
      transpose(row);
    }
    MemorySegment.copy(afterInMemory, 0, target, sample * bytes, bytes);
  }

  private void transpose(int row) {
    for (int column = 0, at = row; column < columns; column++, at += rows) {
      after[at] = before[row * columns + column];
    }
  }
}
