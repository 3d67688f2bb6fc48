package dev.halfcell.benchmarks;

/**
 * What the machine computes at most, as far as HalfCell's backend can show it: a product of two
 * matrices of 1024 x 1024, in 10⁹ operations a second.
 */
record Peak(double fp32, double bf16, double fp16) {
  /** The better of both, dtype by dtype. */
  Peak or(Peak other) {
    return new Peak(
        Math.max(fp32, other.fp32), Math.max(bf16, other.bf16), Math.max(fp16, other.fp16));
  }

  /** That of a dtype; a half that the machine does not compute in is computed in FP32. */
  double of(Precision precision) {
    return switch (precision) {
      case FP32 -> fp32;
      case BF16 -> Math.max(fp32, bf16);
      case FP16 -> Math.max(fp32, fp16);
    };
  }
}
