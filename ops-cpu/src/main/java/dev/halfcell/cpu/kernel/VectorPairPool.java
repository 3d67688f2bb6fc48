package dev.halfcell.cpu.kernel;

/** {@link PairPool} in vectors. A plane that holds a NaN is left to {@link MaxPool}. */
record VectorPairPool(
    Windows windows, PairVectors rows, MaxPool withNan, Operand x, Operand y, Operand position)
    implements PoolingKernels.Plane {
  @Override
  public void run(int plane) {
    if (!pool(plane)) {
      withNan.run(plane);
    }
  }

  /** Returns whether there was no NaN. */
  private boolean pool(int plane) {
    int size = windows.imageSize();
    int pooledSize = windows.pooledSize();
    long image = x.address((long) plane * size, size);
    long pooled = y.address((long) plane * pooledSize, pooledSize);
    long places = position.address((long) plane * pooledSize, pooledSize);
    int row = windows.width() * windows.pixel() * x.dtype().bytes();
    int pooledRow = windows.pooledWidth() * windows.pixel();
    boolean numbers = true;
    for (int i = 0; i < windows.pooledHeight(); i++) {
      long upper = image + 2L * i * row;
      long at = (long) i * pooledRow;
      numbers &= rows.pool(upper, upper + row, pooled + at * x.dtype().bytes(), places + at);
    }
    return numbers;
  }
}
