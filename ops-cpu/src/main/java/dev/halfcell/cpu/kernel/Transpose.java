package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.TensorSpec;

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
  private final short[] before;
  private final short[] after;

  Transpose(Operand from, Operand to) {
    this.from = from;
    this.to = to;
    TensorSpec spec = from.spec();
    int channels = spec.dim(1);
    int pixels = spec.dim(2) * spec.dim(3);
    boolean toLast = to.layout() == Layout.CHANNELS_LAST;
    rows = toLast ? channels : pixels;
    columns = toLast ? pixels : channels;
    before = new short[rows * columns];
    after = new short[rows * columns];
  }

  void run(int sample) {
    long first = (long) sample * before.length;
    Transfers.read(from.address(first, before.length), before, before.length);
    for (int row = 0; row < rows; row++) {
      transpose(row);
    }
    Transfers.write(after, to.address(first, after.length), after.length);
  }

  private void transpose(int row) {
    for (int column = 0, at = row; column < columns; column++, at += rows) {
      after[at] = before[row * columns + column];
    }
  }
}
