package dev.halfcell.op.normalization;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * Batch normalisation over axis 1. The data may be half; statistics, scale and shift never are, and
 * the arithmetic is FP32 at least. Source: Ioffe and Szegedy, "Batch Normalization", 2015,
 * algorithm 1.
 */
public sealed interface Normalization extends Op
    permits BatchNorm, BatchNormGradient, Normalize, RunningAverage {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  /** The spec of a value for each channel of {@code x}. */
  static TensorSpec channels(TensorSpec x) {
    return TensorSpec.of(x.dtype().wide(), x.dim(1));
  }

  /**
   * Demands an x with channels at input {@code x}, and values for each channel at the inputs from
   * {@code from} on.
   */
  static void require(Op op, List<TensorSpec> in, CellPath at, int x, int from, int count) {
    Requirements must = new Requirements(op, in, at).count(count).floating(x);
    must.shape(
        in.get(x).rank() >= 2,
        "x of [N, C] or [N, C, ...]",
        "Normalise something that has channels.");
    TensorSpec channels = channels(in.get(x));
    must.dtype(from, count, channels.dtype());
    must.shape(
        in.subList(from, count).stream().allMatch(channels::equals),
        channels + " for each of inputs " + from + " to " + (count - 1),
        "The cell has to be made for " + in.get(x).dim(1) + " channels.");
  }
}
