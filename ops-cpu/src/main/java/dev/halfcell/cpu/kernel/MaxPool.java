package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/** The largest number of each window and its first place; a NaN is larger than every number. */
final class MaxPool implements PoolingKernels.Plane {
  private final Windows windows;
  private final Operand x;
  private final Operand y;
  private final Operand position;
  private final boolean relu;
  private final boolean vectors;
  private final Chunk image;
  private final Chunk pooled;
  private final Places places;

  MaxPool(Windows windows, Operand x, Operand y, Operand position, boolean relu, Scratch scratch) {
    this.windows = windows;
    this.x = x;
    this.y = y;
    this.position = position;
    this.relu = relu;
    vectors = windows.pixel() > 1 && VectorModule.usable();
    image = scratch.chunk(windows.imageSize());
    pooled = scratch.chunk(windows.pooledSize());
    places = Places.in(scratch, windows.pooledSize());
  }

  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    image.load(x, (long) plane * size, size);
    if (relu) {
      clip(image.values);
    }
    Arrays.fill(places.values, -1);
    windows.visit(this::meet);
    pooled.store(y, (long) plane * pooledSize, pooledSize);
    places.store(position, (long) plane * pooledSize, pooledSize);
  }

  private void meet(int to, int from, int place) {
    float[] values = image.values;
    float[] largest = pooled.values;
    int[] where = places.values;
    int pixel = windows.pixel();
    int done = vectors ? PixelVectors.meet(values, from, largest, where, to, place, pixel) : 0;
    for (int c = done; c < pixel; c++) {
      float value = values[from + c];
      float now = largest[to + c];
      // Not "value > now", so that a NaN is taken, and once there stays.
      if (where[to + c] < 0 || !(value <= now) && !Float.isNaN(now)) {
        largest[to + c] = value;
        where[to + c] = place;
      }
    }
  }

  private static void clip(float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.max(values[i], 0f);
    }
  }
}
