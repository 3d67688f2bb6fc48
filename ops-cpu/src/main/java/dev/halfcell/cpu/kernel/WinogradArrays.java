package dev.halfcell.cpu.kernel;

/**
 * In loops over arrays, with the same bits as in vectors.
 *
 * @param lines of four positions, or the first for one of pixels
 * @param other a line more
 * @param out what is written
 */
record WinogradArrays(int channels, long step, float[][] lines, float[] other, float[] out)
    implements WinogradLoops {
  private static final int[] FIRST = {0, 1, 2, 1};
  private static final int[] SECOND = {2, 2, 1, 3};
  private static final float[] SIGN = {-1, 1, -1, -1};

  /** Loops for lines of at most so many tiles. */
  static WinogradArrays of(Scratch scratch, int channels, int tiles, long step) {
    int line = (2 * tiles + 2) * channels;
    return new WinogradArrays(
        channels,
        step,
        scratch.floats(SIDE, line),
        scratch.chunk(line).values,
        scratch.chunk(line).values);
  }

  @Override
  public void image(long a, long b, boolean sums, long to, int tiles) {
    int count = (2 * tiles + 2) * channels;
    float[] x = lines[0];
    Transfers.read(a, x, count);
    add(x, b, sums ? 1 : -1, count);
    for (int p = 0; p < SIDE; p++) {
      for (int tile = 0; tile < tiles; tile++) {
        int first = (2 * tile + FIRST[p]) * channels;
        combine(x, first, first + (SECOND[p] - FIRST[p]) * channels, SIGN[p], tile * channels);
      }
      Transfers.write(out, to + p * step, tiles * channels);
    }
  }

  @Override
  public void gradient(long a, long b, boolean sums, long to, int tiles) {
    int count = 2 * tiles * channels;
    float[] x = lines[0];
    Transfers.read(a, x, count);
    add(x, b, sums ? 1 : -1, count);
    for (int p = 0; p < SIDE; p++) {
      for (int tile = 0; tile < tiles; tile++) {
        gradient(x, 2 * tile * channels, p, tile * channels);
      }
      Transfers.write(out, to + p * step, tiles * channels);
    }
  }

  private void gradient(float[] x, int at, int position, int to) {
    switch (position) {
      case 0 -> System.arraycopy(x, at, out, to, channels);
      case 1 -> combine(x, at, at + channels, 1, to);
      case 2 -> combine(x, at, at + channels, -1, to);
      default -> System.arraycopy(x, at + channels, out, to, channels);
    }
  }

  @Override
  public void result(long from, boolean sums, long bias, long to, int tiles) {
    int count = tiles * channels;
    float sign = sums ? 1 : -1;
    for (int p = 0; p < SIDE; p++) {
      long a = from + p * step;
      Transfers.read(a, lines[p], count);
      add(lines[p], a + SIDE * step, sign, count);
      add(lines[p], a + 2 * SIDE * step, sign, count);
    }
    Transfers.read(bias, other, channels);
    for (int tile = 0; tile < tiles; tile++) {
      int at = tile * channels;
      left(lines[0], lines[1], lines[2], at);
      right(lines[1], lines[2], lines[3], at);
    }
    Transfers.write(out, to, 2 * count);
  }

  /** x ± the floats at an address. */
  private void add(float[] x, long address, float sign, int count) {
    float[] y = other;
    Transfers.read(address, y, count);
    for (int i = 0; i < count; i++) {
      x[i] += sign * y[i];
    }
  }

  private void combine(float[] x, int a, int b, float sign, int to) {
    float[] v = out;
    for (int c = 0; c < channels; c++) {
      v[to + c] = x[a + c] + sign * x[b + c];
    }
  }

  private void left(float[] x0, float[] x1, float[] x2, int at) {
    float[] y = out;
    float[] w = other;
    for (int c = 0; c < channels; c++) {
      y[2 * at + c] = x0[at + c] + x1[at + c] + x2[at + c] + w[c];
    }
  }

  private void right(float[] x1, float[] x2, float[] x3, int at) {
    float[] y = out;
    float[] w = other;
    int to = 2 * at + channels;
    for (int c = 0; c < channels; c++) {
      y[to + c] = x1[at + c] - x2[at + c] - x3[at + c] + w[c];
    }
  }
}
