package dev.halfcell.cpu.kernel;

/**
 * In vectors. Only where {@link VectorModule#usable} holds.
 *
 * @param channels whole vectors
 */
record WinogradVectors(int channels, long step) implements WinogradLoops {
  @Override
  public void image(long a, long b, boolean sums, long to, int tiles) {
    WinogradChannels.image(a, b, sums ? 1 : -1, channels, to, step, tiles);
  }

  @Override
  public void gradient(long a, long b, boolean sums, long to, int tiles) {
    WinogradChannels.gradient(a, b, sums ? 1 : -1, channels, to, step, tiles);
  }

  @Override
  public void result(long from, boolean sums, long bias, long to, int tiles) {
    WinogradChannels.result(from, sums ? 1 : -1, bias, to, channels, step, tiles);
  }
}
