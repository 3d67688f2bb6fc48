package dev.halfcell.gpu.kernel;

/**
 * Into how many shares the elements of a tensor go for a sum: one block sums each of them, and one
 * block these sums. It follows from the size alone, so that the same numbers give the same bits.
 */
final class Shares {
  private static final int ELEMENTS_OF_A_THREAD = 16;
  private static final int MOST = 128;

  private Shares() {}

  static int of(long size) {
    long shares = Math.ceilDiv(size, (long) KernelLaunch.THREADS * ELEMENTS_OF_A_THREAD);
    return Math.clamp(shares, 1, MOST);
  }
}
