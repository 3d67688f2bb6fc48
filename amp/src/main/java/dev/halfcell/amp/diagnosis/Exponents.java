package dev.halfcell.amp.diagnosis;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many numbers have which exponent: |x| from 2^e to below 2^(e+1). Added to while gradients are
 * collected; one thread.
 */
public final class Exponents {
  private static final int LEAST = -149; // of the smallest FP32 number
  private static final int MOST = 127;

  private final long[] counts = new long[MOST - LEAST + 1];
  private long zeros;
  private long nonFinite;
  private double largest;

  Exponents() {}

  /** Adds the values of an FP32 tensor. */
  void add(Tensor tensor) {
    for (long i = 0; i < tensor.spec().size(); i++) {
      add(Elements.get(tensor.data(), tensor.dtype(), i));
    }
  }

  private void add(double value) {
    double magnitude = Math.abs(value);
    if (magnitude == 0) {
      zeros++;
    } else if (magnitude <= Float.MAX_VALUE) {
      counts[Math.getExponent(magnitude) - LEAST]++;
      largest = Math.max(largest, magnitude);
    } else {
      nonFinite++;
    }
  }

  /** Adds all that another has. */
  void add(Exponents other) {
    Arrays.setAll(counts, i -> counts[i] + other.counts[i]);
    zeros += other.zeros;
    nonFinite += other.nonFinite;
    largest = Math.max(largest, other.largest);
  }

  /** All numbers. */
  public long elements() {
    return zeros + nonFinite + nonZero();
  }

  /** Those that are finite and not 0. */
  public long nonZero() {
    return Arrays.stream(counts).sum();
  }

  /** Those that are 0 in FP32 too. */
  public long zeros() {
    return zeros;
  }

  /** Those that are infinite or NaN in FP32 too. */
  public long nonFinite() {
    return nonFinite;
  }

  /** The largest finite magnitude; 0 where there is none. */
  public double largest() {
    return largest;
  }

  /** How many have each exponent that occurs, the least first. */
  public SortedMap<Integer, Long> counts() {
    SortedMap<Integer, Long> occurring = new TreeMap<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        occurring.put(i + LEAST, counts[i]);
      }
    }
    return occurring;
  }

  /**
   * How many of those that are not 0 become 0 in {@code half} when multiplied by a scale: what is
   * at most half of the smallest number. Exact to one exponent: a scale counts as the power of two
   * that is not above it.
   */
  public long flushed(DType half, double scale) {
    return below(Math.getExponent(smallest(half)) - 1 - Math.getExponent(scale));
  }

  /** How many become subnormal numbers of {@code half}, with fewer bits than the others. */
  public long subnormal(DType half, double scale) {
    return below(Math.getExponent(half.smallestNormal()) - Math.getExponent(scale))
        - flushed(half, scale);
  }

  private static double smallest(DType half) {
    return Math.scalb(half.smallestNormal(), 1 - bits(half));
  }

  private static int bits(DType half) {
    return half == DType.FP16 ? 11 : 8;
  }

  /** The bits of their significands that all together lose: each some as a subnormal, all as 0. */
  long lostBits(DType half, double scale) {
    int normal = Math.getExponent(half.smallestNormal()) - Math.getExponent(scale);
    long lost = 0;
    for (int i = 0; i < counts.length; i++) {
      lost += counts[i] * Math.clamp(normal - (i + LEAST), 0, bits(half));
    }
    return lost;
  }

  private long below(int exponent) {
    return Arrays.stream(counts, 0, Math.clamp(exponent - LEAST, 0, counts.length)).sum();
  }

  /** Whether the largest is an infinity in {@code half} when multiplied by a scale. */
  public boolean overflows(DType half, double scale) {
    return Double.isInfinite(half.round(largest * scale));
  }
}
