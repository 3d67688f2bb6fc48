package dev.halfcell.cpu.kernel;

/** {@link PairPoolGradient} in vectors. */
record VectorPairPoolGradient(
    Windows windows, PairVectors rows, Operand d, Operand maximum, Operand position, Operand dx)
    implements PoolingKernels.Plane {
  @Override
  public void run(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    int bytes = dx.dtype().bytes();
    long slopes = d.address((long) plane * pooledSize, pooledSize);
    long maxima = maximum.address((long) plane * pooledSize, pooledSize);
    long places = position.address((long) plane * pooledSize, pooledSize);
    long image = dx.address((long) plane * size, size);
    long row = (long) windows.width() * windows.pixel() * bytes;
    int pooledRow = windows.pooledWidth() * windows.pixel();
    for (int i = 0; i < windows.pooledHeight(); i++) {
      long at = (long) i * pooledRow;
      long upper = image + 2L * i * row;
      rows.spread(slopes + at * bytes, maxima + at * bytes, places + at, upper, upper + row);
    }
    if (windows.height() % 2 != 0) {
      rows.clear(image + (windows.height() - 1) * row);
    }
  }
}
