package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What attention does with the scores of neighbouring queries, in FP32: the softmax over each one's
 * keys, and its gradient. Several queries are fetched at a time, since a copy of the few scores of
 * one takes longer to begin than to run. One thread.
 */
final class AttentionRows {
  private final AttentionMask mask;
  private final float scale;
  private final int keys;
  private final int most;
  private final Chunk scores;
  private final Chunk gradients;
  private final Exponentials exponentials = Exponentials.make();

  AttentionRows(AttentionMask mask, double scale, int keys, Scratch scratch) {
    this.mask = mask;
    this.scale = (float) scale;
    this.keys = keys;
    this.most = Math.max(1, Chunk.SIZE / keys);
    this.scores = scratch.chunk(most * keys);
    this.gradients = scratch.chunk(most * keys);
  }

  /**
   * Turns the first {@code count} rows of the scores into probabilities, and notes the logarithmic
   * sum of each; the first is that of {@code query}.
   */
  void softmax(Operand all, int query, int count, MemorySegment logs) {
    for (int from = 0; from < count; from += most) {
      int several = Math.min(most, count - from);
      scores.load(all, (long) from * keys, several * keys);
      softmax(query + from, several, logs);
      scores.store(all, (long) from * keys, several * keys);
    }
  }

  private void softmax(int query, int count, MemorySegment logs) {
    float[] x = scores.values;
    times(x, scale, count * keys);
    for (int i = 0; i < count; i++) {
      int at = i * keys;
      mask(query + i, at);
      float largest = Largest.of(x, at, keys);
      double log = largest;
      // A row whose keys are all hidden has no largest score to take off.
      exponentials.shifted(x, at, largest == Float.NEGATIVE_INFINITY ? 0 : largest, keys);
      if (largest != Float.NEGATIVE_INFINITY) {
        double sum = RunningSums.of(x, at, keys);
        times(x, at, (float) (1 / sum), keys);
        log += Math.log(sum);
      }
      Elements.set(logs, DType.FP32, query + i, log);
    }
  }

  /**
   * Turns rows of scores into probabilities p once more, by their logarithmic sums, and rows of
   * gradients g of the probabilities into those of the unscaled scores, scale · p · (g − Σ p · g).
   */
  void gradient(Operand all, Operand ofProbabilities, int query, int count, MemorySegment logs) {
    for (int from = 0; from < count; from += most) {
      int several = Math.min(most, count - from);
      long at = (long) from * keys;
      scores.load(all, at, several * keys);
      gradients.load(ofProbabilities, at, several * keys);
      gradient(query + from, several, logs);
      scores.store(all, at, several * keys);
      gradients.store(ofProbabilities, at, several * keys);
    }
  }

  private void gradient(int query, int count, MemorySegment logs) {
    float[] p = scores.values;
    float[] g = gradients.values;
    times(p, scale, count * keys);
    for (int i = 0; i < count; i++) {
      int at = i * keys;
      mask(query + i, at);
      float log = (float) Elements.get(logs, DType.FP32, query + i);
      if (Float.isNaN(log)) {
        poison(p, at, keys);
      }
      boolean none = Float.isNaN(log) || log == Float.NEGATIVE_INFINITY;
      exponentials.shifted(p, at, none ? 0 : log, keys);
      centre(p, g, at, scale, (float) RunningSums.ofProducts(p, g, at, keys), keys);
    }
  }

  /** Sets to −∞ what a query does not look at. */
  private void mask(int query, int at) {
    int reach = mask.reach(query);
    Arrays.fill(scores.values, at + reach, at + keys, Float.NEGATIVE_INFINITY);
    mask.apply(query, scores.values, at, reach);
  }

  /** All probabilities of a row that cannot be told, but those of keys that take no part. */
  private static void poison(float[] x, int from, int count) {
    for (int i = from; i < from + count; i++) {
      x[i] = x[i] == Float.NEGATIVE_INFINITY ? x[i] : Float.NaN;
    }
  }

  private static void times(float[] x, float by, int count) {
    for (int i = 0; i < count; i++) {
      x[i] *= by;
    }
  }

  private static void times(float[] x, int from, float by, int count) {
    for (int i = from; i < from + count; i++) {
      x[i] *= by;
    }
  }

  private static void centre(float[] p, float[] g, int from, float scale, float mean, int count) {
    for (int i = from; i < from + count; i++) {
      g[i] = scale * p[i] * (g[i] - mean);
    }
  }
}
