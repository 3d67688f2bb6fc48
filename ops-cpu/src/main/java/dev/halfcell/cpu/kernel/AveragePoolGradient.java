package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/** Each d spread evenly over the places of its window. */
final class AveragePoolGradient implements PoolingKernels.Plane {
  private final Windows windows;
  private final Operand d;
  private final Operand dx;
  private final Chunk pooled;
  private final Chunk image;
  private final float[] counts;

  AveragePoolGradient(
      Windows windows, boolean countPadding, Operand d, Operand dx, Scratch scratch) {
    this.windows = windows;
    this.d = d;
    this.dx = dx;
    pooled = scratch.chunk(windows.pooledSize());
    image = scratch.chunk(windows.imageSize());
    counts = windows.counts(countPadding);
  }

  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    pooled.load(d, (long) plane * pooledSize, pooledSize);
    for (int i = 0; i < pooledSize; i++) {
      pooled.values[i] /= counts[i];
    }
    Arrays.fill(image.values, 0f);
    windows.visit(this::meet);
    image.store(dx, (long) plane * size, size);
  }

  private void meet(int from, int to, int place) {
    for (int c = 0; c < windows.pixel(); c++) {
      image.values[to + c] += pooled.values[from + c];
    }
  }
}
