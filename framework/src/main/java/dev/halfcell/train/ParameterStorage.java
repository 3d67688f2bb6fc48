package dev.halfcell.train;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;

/**
 * How a state keeps parameters between steps. Gradients, optimizer slots and the arithmetic of an
 * update are FP32 in any case; in half there is no FP32 master, and each update ends in one
 * rounding.
 *
 * @param dtype what parameters are kept in: FP32 or a half dtype
 * @param stochastic whether an update is rounded by chance, so that small ones add up in the mean;
 *     else to nearest, and one of less than half a place is swamped
 */
public record ParameterStorage(DType dtype, boolean stochastic) {
  public ParameterStorage {
    ArgumentException.require(
        dtype == DType.FP32 || dtype.half(),
        "parameter storage",
        "fp32, fp16 or bf16",
        dtype.label());
    ArgumentException.require(
        dtype.half() || !stochastic, "parameter storage", "a half dtype to round to", "fp32");
  }

  /** FP32, as it is unless asked otherwise. */
  public static ParameterStorage full() {
    return new ParameterStorage(DType.FP32, false);
  }

  /** Half, each update rounded by chance: in the mean nothing is lost. */
  public static ParameterStorage stochastic(DType half) {
    return new ParameterStorage(half, true);
  }

  /** Half, each update rounded to nearest: those of less than half a place are lost. */
  public static ParameterStorage nearest(DType half) {
    return new ParameterStorage(half, false);
  }
}
