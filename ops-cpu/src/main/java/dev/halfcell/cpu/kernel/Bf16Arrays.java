package dev.halfcell.cpu.kernel;

/**
 * In loops over arrays, two elements at a time, for the JIT vectorises loops from ints to longs and
 * not those from shorts.
 */
final class Bf16Arrays implements Bf16 {
  private final int[] pairs;
  private final int[] maskPairs;
  private final long[] widePairs;

  /** For {@code size} elements at most. */
  Bf16Arrays(int size) {
    int count = Math.ceilDiv(size, 2);
    pairs = new int[count];
    maskPairs = new int[count];
    widePairs = new long[count];
  }

  @Override
  public void load(long address, float[] to, int count) {
    Transfers.readBytes(address, pairs, 2 * count);
    widen(to, count);
  }

  @Override
  public void loadMasked(long address, long mask, float[] to, int count) {
    Transfers.readBytes(address, pairs, 2 * count);
    Transfers.readBytes(mask, maskPairs, 2 * count);
    PositiveMask.apply(pairs, maskPairs, count);
    widen(to, count);
  }

  private void widen(float[] to, int count) {
    widen(pairs, widePairs, Math.ceilDiv(count, 2));
    Transfers.bits(widePairs, to, count);
  }

  @Override
  public void store(float[] from, long address, int count) {
    Transfers.bits(from, widePairs, count);
    narrow(widePairs, pairs, Math.ceilDiv(count, 2));
    Transfers.writeBytes(pairs, address, 2 * count);
  }

  @Override
  public void round(float[] values, int count) {
    Transfers.bits(values, widePairs, count);
    round(widePairs, Math.ceilDiv(count, 2));
    Transfers.bits(widePairs, values, count);
  }

  private static void round(long[] pairs, int count) {
    for (int i = 0; i < count; i++) {
      pairs[i] = rounded(pairs[i]) & 0xffff0000_ffff0000L;
    }
  }

  private static void widen(int[] from, long[] to, int count) {
    for (int i = 0; i < count; i++) {
      long pair = from[i];
      to[i] = (pair & 0xffffL) << 16 | (pair & 0xffff0000L) << 32;
    }
  }

  private static void narrow(long[] from, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      long pair = rounded(from[i]);
      to[i] = (int) (pair >>> 16 & 0xffffL | pair >>> 32 & 0xffff0000L);
    }
  }

  /**
   * The bits of two floats in whose upper 16 each are their BF16, without a branch. No sum leaves
   * its half: a number that is no NaN is at most infinity, and to a NaN nothing is added.
   */
  private static long rounded(long bits) {
    long magnitudes = bits & 0x7fffffff_7fffffffL;
    long nan = magnitudes + 0x007fffff_007fffffL & 0x80000000_80000000L;
    long nanMask = nan | nan - (nan >>> 31);
    long up = 0x00007fff_00007fffL + (bits >>> 16 & 0x00000001_00000001L);
    return bits + (up & ~nanMask) | nanMask & 0x00400000_00400000L;
  }
}
