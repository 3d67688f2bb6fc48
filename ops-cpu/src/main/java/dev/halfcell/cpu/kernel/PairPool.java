package dev.halfcell.cpu.kernel;

/**
 * ReLU and then max pooling in windows of 2 x 2, on the bits of the numbers. Where one of a window
 * is above 0, the largest number is that with the largest bits as an int; where none is, the result
 * is 0 from the first place. A plane that holds a NaN is left to {@link MaxPool}.
 */
final class PairPool implements PoolingKernels.Plane {
  private final Windows windows;
  private final Operand x;
  private final Operand y;
  private final Operand position;
  private final MaxPool withNan;
  private final PairTable table;
  private final RawPlane image;
  private final RawPlane pooled;
  private final byte[] places;

  PairPool(Windows windows, Operand x, Operand y, Operand position, Scratch scratch) {
    this.windows = windows;
    this.x = x;
    this.y = y;
    this.position = position;
    withNan = new MaxPool(windows, x, y, position, true, scratch);
    table = PairTable.of(windows);
    image = RawPlane.in(scratch, x.dtype(), windows.imageSize());
    pooled = RawPlane.in(scratch, x.dtype(), windows.pooledSize());
    places = scratch.bytes(windows.pooledSize());
  }

  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    image.load(x, (long) plane * size, size);
    if (image.hasNan(x, (long) plane * size, size)) {
      withNan.run(plane);
      return;
    }
    if (image.half) {
      largest(image.halves, pooled.halves, pooledSize);
    } else {
      largest(image.words, pooled.words, pooledSize);
    }
    pooled.store(y, (long) plane * pooledSize, pooledSize);
    long address = position.address((long) plane * pooledSize, pooledSize);
    Transfers.write(places, address, pooledSize);
  }

  private void largest(int[] from, int[] to, int count) {
    int[] first = table.first();
    int right = table.offsets()[1];
    int below = table.offsets()[2];
    int across = table.offsets()[3];
    for (int i = 0; i < count; i++) {
      int at = first[i];
      int a = Math.max(from[at], 0);
      int b = Math.max(from[at + right], 0);
      int c = Math.max(from[at + below], 0);
      int max = Math.max(Math.max(a, b), Math.max(c, from[at + across]));
      to[i] = max;
      places[i] = (byte) place(a - max, b - max, c - max);
    }
  }

  private void largest(short[] from, short[] to, int count) {
    int[] first = table.first();
    int right = table.offsets()[1];
    int below = table.offsets()[2];
    int across = table.offsets()[3];
    for (int i = 0; i < count; i++) {
      int at = first[i];
      int a = Math.max(from[at], 0);
      int b = Math.max(from[at + right], 0);
      int c = Math.max(from[at + below], 0);
      int max = Math.max(Math.max(a, b), Math.max(c, from[at + across]));
      to[i] = (short) max;
      places[i] = (byte) place(a - max, b - max, c - max);
    }
  }

  /** The first place whose difference to the largest is 0, or else the last; without a branch. */
  private static int place(int a, int b, int c) {
    return a >> 31 & 1 + (b >> 31 & 1 - (c >> 31));
  }
}
