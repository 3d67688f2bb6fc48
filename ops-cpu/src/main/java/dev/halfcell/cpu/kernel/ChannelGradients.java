package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.kernel.ChannelVectors.Numbers;
import dev.halfcell.cpu.kernel.ChannelVectors.Totals;
import dev.halfcell.tensor.DType;
import java.util.Optional;

/**
 * The loops of {@link ChannelMap} and {@link ChannelSums} that have a gradient, as {@link
 * ChannelVectors} are those without. Gradients are of the dtype of x, or in FP32 beside an x in
 * half, as they are where a half dtype is storage only; a mask has the dtype of x.
 */
sealed interface ChannelGradients
    permits FloatChannels, Bf16Channels, Bf16WideChannels, Fp16WideChannels {
  /**
   * The loops over such operands, or none where they are of other dtypes or {@link
   * VectorModule#usable} does not hold.
   *
   * @param y what is computed, if it is as large as d: of the dtype of d
   */
  static Optional<ChannelGradients> of(MaskedGradient d, Operand x, Optional<Operand> y) {
    DType slope = d.gradient().dtype();
    DType kept = x.dtype();
    boolean masked = d.mask().stream().allMatch(above -> above.dtype() == kept);
    boolean alike = y.stream().allMatch(result -> result.dtype() == slope);
    if (!VectorModule.usable() || !masked || !alike) {
      return Optional.empty();
    }
    return slope == DType.FP32 ? besideFloats(kept) : alone(slope, kept);
  }

  private static Optional<ChannelGradients> besideFloats(DType kept) {
    return switch (kept) {
      case FP32 -> Optional.of(new FloatChannels());
      case BF16 -> Optional.of(new Bf16WideChannels());
      case FP16 -> Optional.of(new Fp16WideChannels());
      case FP64, INT64, INT32, UINT8, BOOL -> Optional.empty();
    };
  }

  private static Optional<ChannelGradients> alone(DType slope, DType kept) {
    return slope == DType.BF16 && kept == DType.BF16
        ? Optional.of(new Bf16Channels())
        : Optional.empty();
  }

  /** y = b · (x − m) + c + a · d. */
  void mapGradient(long d, long x, long y, Numbers of, int count);

  /** The same, with 0 for d where {@code above} is not above 0. */
  void mapMasked(long d, long above, long x, long y, Numbers of, int count);

  /** Adds d to {@code first} and d · (x − center) to {@code second}. */
  void sumsGradient(long d, long x, Totals to, int count, int width);

  /** The same, with 0 for d where {@code above} is not above 0. */
  void sumsMasked(long d, long above, long x, Totals to, int count, int width);
}
