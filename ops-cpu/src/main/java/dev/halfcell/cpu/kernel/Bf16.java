package dev.halfcell.cpu.kernel;

/**
 * Turns BF16 in memory into floats on the heap and back. One thread.
 *
 * <p>Rounding is to the nearest even; a NaN keeps the first bits of its payload and becomes quiet.
 */
sealed interface Bf16 permits Bf16Arrays, Bf16Vectors {
  /** The fastest way here, for {@code size} elements at most. */
  static Bf16 of(int size) {
    return VectorModule.usable() ? new Bf16Vectors() : new Bf16Arrays(size);
  }

  /** Fetches {@code count} elements that lie at an address. */
  void load(long address, float[] to, int count);

  /** Fetches those where the elements at {@code mask} are above 0, and zeros elsewhere. */
  void loadMasked(long address, long mask, float[] to, int count);

  /** Puts {@code count} elements at an address. */
  void store(float[] from, long address, int count);

  /** Rounds {@code count} floats to those that BF16 has. */
  void round(float[] values, int count);
}
