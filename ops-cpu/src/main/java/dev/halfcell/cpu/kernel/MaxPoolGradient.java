package dev.halfcell.cpu.kernel;

import java.util.Arrays;
import java.util.Optional;

/**
 * Each d goes to the place its maximum came from; where windows overlap, they are summed. Where
 * what was pooled had gone through ReLU before, a d counts only if its maximum is above 0.
 */
final class MaxPoolGradient implements PoolingKernels.Plane {
  private final Windows windows;
  private final MaskedGradient d;
  private final Operand position;
  private final Operand dx;
  private final Chunk pooled;
  private final MaskedGradient.Reader reader;
  private final Places places;
  private final Chunk image;
  private final boolean vectors;

  MaxPoolGradient(
      Windows windows,
      Operand d,
      Optional<Operand> maximum,
      Operand position,
      Operand dx,
      Scratch scratch) {
    this.windows = windows;
    this.d = new MaskedGradient(d, maximum);
    this.position = position;
    this.dx = dx;
    pooled = scratch.chunk(windows.pooledSize());
    reader = new MaskedGradient.Reader(scratch, windows.pooledSize());
    places = Places.in(scratch, windows.pooledSize());
    image = scratch.chunk(windows.imageSize());
    vectors = windows.pixel() > 1 && VectorModule.usable();
  }

  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    reader.read(d, pooled, (long) plane * pooledSize, pooledSize);
    places.load(position, (long) plane * pooledSize, pooledSize);
    Arrays.fill(image.values, 0f);
    windows.visit(this::meet);
    image.store(dx, (long) plane * size, size);
  }

  private void meet(int from, int to, int place) {
    int pixel = windows.pixel();
    int done =
        vectors
            ? PixelVectors.spread(
                pooled.values, places.values, from, image.values, to, place, pixel)
            : 0;
    for (int c = done; c < pixel; c++) {
      if (places.values[from + c] == place) {
        image.values[to + c] += pooled.values[from + c];
      }
    }
  }
}
