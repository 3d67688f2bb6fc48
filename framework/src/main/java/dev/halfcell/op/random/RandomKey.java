package dev.halfcell.op.random;

import dev.halfcell.op.CellPath;

/**
 * Who draws random numbers: the run's seed, the cell, and how many random ops that cell has
 * recorded before in this step. The numbers are counters run through a mixer, so that they do not
 * depend on eager or compiled, batch split, workers or ranks.
 *
 * <p>Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014,
 * section 6 (mix64variant13 as in SplitMix64).
 */
public record RandomKey(long seed, CellPath path, int ordinal) {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  /** The key's part of every number: a backend computes it once. */
  public long stream() {
    return mix(path.text().chars().asLongStream().reduce(seed, RandomKey::mix), ordinal);
  }

  /** 64 random bits for element {@code index} of sample {@code sample} of a {@link #stream()}. */
  public static long bits(long stream, long sample, long index) {
    return mix(mix(stream, sample), index);
  }

  /** A number in [0, 1) for element {@code index} of sample {@code sample}, a multiple of 2⁻⁵³. */
  public static double uniform(long stream, long sample, long index) {
    return (bits(stream, sample, index) >>> 11) * 0x1.0p-53;
  }

  private static long mix(long state, long word) {
    long z = (state ^ word) + GOLDEN_GAMMA;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
