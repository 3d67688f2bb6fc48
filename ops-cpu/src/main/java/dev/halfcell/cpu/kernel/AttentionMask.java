package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.Optional;

/**
 * Which keys a query looks at: sets the scores of the others to −∞. Queries are numbered through
 * all heads of all samples. One thread.
 */
final class AttentionMask {
  private static final int MINUS_INFINITY = Float.floatToRawIntBits(Float.NEGATIVE_INFINITY);

  private final int heads;
  private final int queries;
  private final int keys;
  private final boolean causal;
  private final Optional<Operand> mask;
  private final long[] steps = new long[4];
  private final byte[] row;

  /** {@code scores} is [N, heads, T, S], the mask row-major and repeated where it has size 1. */
  AttentionMask(Shape scores, boolean causal, Optional<Operand> mask) {
    this.heads = scores.dim(1);
    this.queries = scores.dim(2);
    this.keys = scores.dim(3);
    this.causal = causal;
    this.mask = mask;
    this.row = new byte[keys];
    mask.ifPresent(x -> measure(x.spec()));
  }

  private void measure(TensorSpec spec) {
    long step = 1;
    for (int axis = 3; axis >= 0; axis--) {
      steps[axis] = spec.dim(axis) == 1 ? 0 : step;
      step *= spec.dim(axis);
    }
  }

  /** How many of the first keys there are at most for a query. */
  int reach(int query) {
    return causal ? Math.min(keys, query % queries + 1) : keys;
  }

  /**
   * Takes away, among the first {@code count} scores of a query, which begin at {@code start},
   * those of masked keys.
   */
  void apply(int query, float[] values, int start, int count) {
    if (mask.isPresent()) {
      load(mask.get(), query, count);
      hide(row, values, start, count);
    }
  }

  private void load(Operand from, int query, int count) {
    int t = query % queries;
    int head = query / queries % heads;
    int sample = query / queries / heads;
    long start = sample * steps[0] + head * steps[1] + t * steps[2];
    if (steps[3] == 0) {
      Transfers.read(from.address(start, 1), row, 1);
      Arrays.fill(row, 0, count, row[0]);
    } else {
      Transfers.read(from.address(start, count), row, count);
    }
  }

  /** By bits, without a branch: −1 keeps a value and 0 replaces it. */
  private static void hide(byte[] takesPart, float[] values, int start, int count) {
    for (int i = 0; i < count; i++) {
      int keep = -takesPart[i];
      int bits = Float.floatToRawIntBits(values[start + i]);
      values[start + i] = Float.intBitsToFloat(bits & keep | MINUS_INFINITY & ~keep);
    }
  }
}
