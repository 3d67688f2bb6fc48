package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/** Each d spread evenly over its window. */
final class AveragePoolGradient implements PoolingKernels.Plane {
  private final Windows windows;
  private final Operand d;
  private final Operand dx;
  private final Chunk pooled;
  private final Chunk image;

  AveragePoolGradient(Windows windows, Operand d, Operand dx) {
    this.windows = windows;
    this.d = d;
    this.dx = dx;
    pooled = new Chunk(windows.pooledSize());
    image = new Chunk(windows.imageSize());
  }

  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    pooled.load(d.region().data(), d.dtype(), (long) plane * pooledSize, pooledSize);
    Arrays.fill(image.values, 0f);
    windows.visit(this::meet);
    float places = windows.window().height() * windows.window().width();
    for (int i = 0; i < size; i++) {
      image.values[i] /= places;
    }
    image.store(dx.region().data(), dx.dtype(), (long) plane * size, size);
  }

  private void meet(int from, int to, int place) {
    for (int c = 0; c < windows.pixel(); c++) {
      image.values[to + c] += pooled.values[from + c];
    }
  }
}
