package dev.halfcell.cpu.kernel;

import java.util.Arrays;
import java.util.Optional;

/**
 * Each d goes to the place its maximum came from; where windows overlap, they are summed. Where
 * what was pooled had gone through ReLU before, a d counts only if its maximum is above 0.
 */
final class MaxPoolGradient implements PoolingKernels.Plane {
  private final Windows windows;
  private final Operand d;
  private final Optional<Operand> maximum;
  private final Operand position;
  private final Operand dx;
  private final Chunk pooled;
  private final Chunk maxima;
  private final Places places;
  private final Chunk image;

  MaxPoolGradient(
      Windows windows,
      Operand d,
      Optional<Operand> maximum,
      Operand position,
      Operand dx,
      Scratch scratch) {
    this.windows = windows;
    this.d = d;
    this.maximum = maximum;
    this.position = position;
    this.dx = dx;
    pooled = scratch.chunk(windows.pooledSize());
    maxima = scratch.chunk(maximum.isPresent() ? windows.pooledSize() : 0);
    places = Places.in(scratch, windows.pooledSize());
    image = scratch.chunk(windows.imageSize());
  }

  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    pooled.load(d.region().data(), d.dtype(), (long) plane * pooledSize, pooledSize);
    if (maximum.isPresent()) {
      Operand y = maximum.get();
      maxima.load(y.region().data(), y.dtype(), (long) plane * pooledSize, pooledSize);
      ElementwiseKernels.mask(pooled.values, maxima.values, pooled.values, pooledSize);
    }
    places.load(position, (long) plane * pooledSize, pooledSize);
    Arrays.fill(image.values, 0f);
    windows.visit(this::meet);
    image.store(dx.region().data(), dx.dtype(), (long) plane * size, size);
  }

  private void meet(int from, int to, int place) {
    for (int c = 0; c < windows.pixel(); c++) {
      if (places.values[from + c] == place) {
        image.values[to + c] += pooled.values[from + c];
      }
    }
  }
}
