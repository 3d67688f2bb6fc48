package dev.halfcell.op.precision;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Half;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, counters) → x in another floating dtype: where x lies between two numbers of it, the one
 * farther from zero with the probability (|x| − nearer) / (farther − nearer), else the nearer, so
 * that the mean of many is x. What lies beyond the largest number is rounded to nearest even, and
 * becomes what {@code overflow} says where that is an infinity.
 *
 * <p>Shapes: x any; counters INT64, [N] where x is [N, ...]: the number of each sample, or a scalar
 * where there are none: the step. An element's random number follows from key, counter and its
 * place in the sample. Source: Gupta et al., "Deep Learning with Limited Numerical Precision", ICML
 * 2015, section 3; Connolly, Higham and Mary, "Stochastic Rounding and Its Probabilistic Backward
 * Error Analysis", SIAM J. Sci. Comput. 43(1), 2021, section 1 (mode 1).
 *
 * @param to the dtype of the result
 * @param overflow what becomes of what is too large for it
 * @param key who draws
 */
public record StochasticCast(DType to, CastOverflow overflow, RandomKey key) implements Casting {
  public StochasticCast {
    ArgumentException.require(
        to.floating(), "stochastic cast", "a floating dtype to cast to", to.label());
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2).floating(0).integer(1);
    TensorSpec x = in.get(0);
    TensorSpec counters = in.get(1);
    must.shape(
        counters.rank() == 0
            || counters.rank() == 1 && x.rank() >= 1 && x.dim(0) == counters.dim(0),
        "a counter for each sample, or one for all",
        "Pass the batch's sample numbers, or the number of the step.");
    return List.of(x.as(to));
  }

  /** What {@code exact} becomes, where the number that was drawn in [0, 1) is {@code uniform}. */
  public double round(double exact, double uniform) {
    double near = to.round(exact);
    double size = Math.abs(exact);
    if (near == exact || Double.isNaN(exact) || size > to.largest()) {
      return overflow.bounded(exact, to);
    }
    boolean nearIsBelow = Math.abs(near) < size;
    double below = nearIsBelow ? Math.abs(near) : neighbour(near, -1);
    double above = nearIsBelow ? neighbour(near, 1) : Math.abs(near);
    boolean up = uniform < (size - below) / (above - below);
    return Math.copySign(up ? above : below, exact);
  }

  /** The size of the number so many places farther from zero. */
  private double neighbour(double of, int places) {
    float size = (float) Math.abs(of);
    return switch (to) {
      case FP16 -> Float.float16ToFloat((short) (Float.floatToFloat16(size) + places));
      case BF16 -> Half.toFloat((short) (Half.fromFloat(size) + places));
      case FP32 -> Float.intBitsToFloat(Float.floatToRawIntBits(size) + places);
      case FP64, INT64, INT32, UINT8, BOOL -> throw new IllegalStateException("exact in " + to);
    };
  }
}
