package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/** The mean of each window. */
final class AveragePool implements PoolingKernels.Plane {
  private final Windows windows;
  private final Operand x;
  private final Operand y;
  private final Chunk image;
  private final Chunk pooled;
  private final float[] counts;

  AveragePool(Windows windows, boolean countPadding, Operand x, Operand y, Scratch scratch) {
    this.windows = windows;
    this.x = x;
    this.y = y;
    image = scratch.chunk(windows.imageSize());
    pooled = scratch.chunk(windows.pooledSize());
    counts = windows.counts(countPadding);
  }

  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    image.load(x, (long) plane * size, size);
    Arrays.fill(pooled.values, 0f);
    windows.visit(this::meet);
    for (int i = 0; i < pooledSize; i++) {
      pooled.values[i] /= counts[i];
    }
    pooled.store(y, (long) plane * pooledSize, pooledSize);
  }

  private void meet(int to, int from, int place) {
    for (int c = 0; c < windows.pixel(); c++) {
      pooled.values[to + c] += image.values[from + c];
    }
  }
}
