package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/**
 * The gradient of {@link PairPool}: windows do not overlap, so that each d is moved, not added, to
 * the place its maximum came from, if that maximum is above 0.
 */
final class PairPoolGradient implements PoolingKernels.Plane {
  private final Windows windows;
  private final Operand d;
  private final Operand maximum;
  private final Operand position;
  private final Operand dx;
  private final PairTable table;
  private final RawPlane pooled;
  private final RawPlane maxima;
  private final RawPlane image;
  private final byte[] places;
  private final int aboveInfinity;

  PairPoolGradient(
      Windows windows, Operand d, Operand maximum, Operand position, Operand dx, Scratch scratch) {
    this.windows = windows;
    this.d = d;
    this.maximum = maximum;
    this.position = position;
    this.dx = dx;
    table = PairTable.of(windows);
    pooled = RawPlane.in(scratch, d.dtype(), windows.pooledSize());
    maxima = RawPlane.in(scratch, d.dtype(), windows.pooledSize());
    image = RawPlane.in(scratch, d.dtype(), windows.imageSize());
    places = scratch.bytes(windows.pooledSize());
    aboveInfinity = RawPlane.infinity(d.dtype()) + 1;
  }

  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    pooled.load(d, (long) plane * pooledSize, pooledSize);
    maxima.load(maximum, (long) plane * pooledSize, pooledSize);
    long address = position.address((long) plane * pooledSize, pooledSize);
    Transfers.read(address, places, pooledSize);
    if (image.half) {
      Arrays.fill(image.halves, (short) 0);
      spread(pooled.halves, maxima.halves, image.halves, pooledSize);
    } else {
      Arrays.fill(image.words, 0);
      spread(pooled.words, maxima.words, image.words, pooledSize);
    }
    image.store(dx, (long) plane * size, size);
  }

  /** All ones where a maximum is above 0 and no NaN, by its bits, else 0. */
  private int positive(int bits) {
    return (-bits & bits - aboveInfinity) >> 31;
  }

  private void spread(int[] from, int[] largest, int[] to, int count) {
    int[] first = table.first();
    int[] offsets = table.offsets();
    for (int i = 0; i < count; i++) {
      to[first[i] + offsets[places[i] & 3]] = from[i] & positive(largest[i]);
    }
  }

  private void spread(short[] from, short[] largest, short[] to, int count) {
    int[] first = table.first();
    int[] offsets = table.offsets();
    for (int i = 0; i < count; i++) {
      to[first[i] + offsets[places[i] & 3]] = (short) (from[i] & positive(largest[i]));
    }
  }
}
