package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What attention does with the scores of one query after another, in FP32: the softmax over its
 * keys, and its gradient. One thread.
 */
final class AttentionRows {
  private final AttentionMask mask;
  private final float scale;
  private final int keys;
  private final Chunk scores;
  private final Chunk gradients;
  private final Exponentials exponentials = new Exponentials();

  AttentionRows(AttentionMask mask, double scale, int keys, Scratch scratch) {
    this.mask = mask;
    this.scale = (float) scale;
    this.keys = keys;
    this.scores = scratch.chunk(keys);
    this.gradients = scratch.chunk(keys);
  }

  /** Turns row {@code row} of the scores into probabilities, and notes their logarithmic sum. */
  void softmax(MemorySegment all, int row, int query, MemorySegment logs) {
    float[] x = scores.values;
    int count = masked(all, row, query);
    float largest = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      largest = Math.max(largest, x[i]);
    }
    double log = Float.NEGATIVE_INFINITY;
    if (largest == Float.NEGATIVE_INFINITY) {
      Arrays.fill(x, 0, count, 0);
    } else {
      exponentials.shifted(x, largest, count);
      double sum = RunningSums.of(x, 0, count);
      divide(x, (float) (1 / sum), count);
      log = largest + Math.log(sum);
    }
    Elements.set(logs, DType.FP32, query, log);
    scores.store(all, DType.FP32, (long) row * keys, keys);
  }

  /**
   * Turns a row of scores into probabilities p once more, by their logarithmic sum, and a row of
   * gradients g of the probabilities into those of the unscaled scores, scale · p · (g − Σ p · g).
   */
  void gradient(
      MemorySegment all, MemorySegment ofProbabilities, int row, int query, MemorySegment logs) {
    float[] p = scores.values;
    float[] g = gradients.values;
    int count = masked(all, row, query);
    float log = (float) Elements.get(logs, DType.FP32, query);
    if (log == Float.NEGATIVE_INFINITY) {
      Arrays.fill(p, 0, count, 0);
    } else if (Float.isNaN(log)) {
      poison(p, count);
    } else {
      exponentials.shifted(p, log, count);
    }
    gradients.load(ofProbabilities, DType.FP32, (long) row * keys, keys);
    centre(p, g, scale, (float) RunningSums.ofProducts(p, g, 0, keys), keys);
    scores.store(all, DType.FP32, (long) row * keys, keys);
    gradients.store(ofProbabilities, DType.FP32, (long) row * keys, keys);
  }

  /**
   * Loads and scales a row; what lies beyond the keys that it reaches is 0. Returns their number.
   */
  private int masked(MemorySegment all, int row, int query) {
    float[] x = scores.values;
    int count = mask.reach(query);
    scores.load(all, DType.FP32, (long) row * keys, count);
    Arrays.fill(x, count, keys, 0);
    for (int i = 0; i < count; i++) {
      x[i] *= scale;
    }
    mask.apply(query, x, count);
    return count;
  }

  /** All probabilities of a row that cannot be told, but those of keys that take no part. */
  private static void poison(float[] x, int count) {
    for (int i = 0; i < count; i++) {
      x[i] = x[i] == Float.NEGATIVE_INFINITY ? 0 : Float.NaN;
    }
  }

  private static void divide(float[] x, float by, int count) {
    for (int i = 0; i < count; i++) {
      x[i] *= by;
    }
  }

  private static void centre(float[] p, float[] g, float scale, float mean, int count) {
    for (int i = 0; i < count; i++) {
      g[i] = scale * p[i] * (g[i] - mean);
    }
  }
}
