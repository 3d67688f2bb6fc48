package dev.halfcell.amp.precision;

import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What can be said about precision beside the level: all that a {@link PrecisionPlan} is made from.
 * Each method gives a changed copy.
 *
 * @param half the 16-bit dtype: FP16 unless BF16 is asked for
 * @param keepBatchNormFp32 whether normalisation cells compute on FP32 data; none given means the
 *     level's own
 * @param numerics how it is computed in half
 */
public record PrecisionOptions(DType half, Optional<Boolean> keepBatchNormFp32, Numerics numerics) {
  public PrecisionOptions {
    ArgumentException.require(half.half(), "half", "fp16 or bf16", half.label());
  }

  /** FP16, and everything else as the level has it. */
  public static PrecisionOptions defaults() {
    return new PrecisionOptions(DType.FP16, Optional.empty(), Numerics.defaults());
  }

  /** With this 16-bit dtype. */
  public PrecisionOptions half(DType dtype) {
    return new PrecisionOptions(dtype, keepBatchNormFp32, numerics);
  }

  /** With normalisation cells on FP32 data, or on half. */
  public PrecisionOptions keepBatchNormFp32(boolean keep) {
    return new PrecisionOptions(half, Optional.of(keep), numerics);
  }

  /** With other numerics. */
  public PrecisionOptions numerics(UnaryOperator<Numerics> change) {
    return new PrecisionOptions(half, keepBatchNormFp32, change.apply(numerics));
  }

  /** With casts to half that make this of what is too large. */
  public PrecisionOptions castOverflow(CastOverflow mode) {
    return numerics(n -> n.castOverflow(mode));
  }
}
