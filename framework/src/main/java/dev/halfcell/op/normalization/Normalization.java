package dev.halfcell.op.normalization;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * Normalisation over the batch (Ioffe and Szegedy, "Batch Normalization", 2015, algorithm 1), and
 * within each sample. The data may be half; statistics, scale and shift never are, and the
 * arithmetic is FP32 at least.
 */
public sealed interface Normalization extends Op
    permits BatchNorm,
        BatchNormGradient,
        Normalize,
        RunningAverage,
        GroupwiseNormalization,
        GroupwiseGradient {
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

  /** Demands an epsilon that a division by a deviation of 0 needs. */
  static void requireEpsilon(String op, double epsilon) {
    ArgumentException.require(
        epsilon > 0 && Double.isFinite(epsilon),
        op + " epsilon",
        "a finite number above 0",
        epsilon);
  }

  /** Demands d like x, the first two inputs, and {@code statistics} for each behind gamma. */
  static void requireSaved(Requirements must, List<TensorSpec> in, TensorSpec statistics) {
    must.shape(
        in.get(0).equals(in.get(1)),
        "d like x",
        "Pass the gradient of the normalisation's output.");
    must.shape(
        in.stream().skip(3).allMatch(statistics::equals),
        statistics + " for each of the statistics",
        "Pass what the normalisation saved.");
  }
}
